// Atomic types and operations race with nothing, whatever their spelling; plain variables beside them do.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int number;
static _Atomic int keyword;
static _Atomic(long) wrapped;
static struct { atomic_uint hits; _Atomic int misses; int plain; } stats;
static atomic_bool flags[2];

static void *worker(void *unused) {
    atomic_fetch_add(&number, 1);
    number++;
    keyword += 2;
    wrapped = wrapped + 1;
    atomic_fetch_add_explicit(&stats.hits, 1, memory_order_relaxed);
    stats.hits++;
    stats.misses++;
    stats.plain++; // race: stats.plain
    atomic_store(&flags[1], 1);
    flags[0] = 1;
    return 0;
}

int main(void) {
    pthread_t one, two;
    atomic_init(&number, 0);
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    int seen = atomic_load(&number) + keyword + (int)wrapped + flags[0];
    pthread_join(one, 0);
    pthread_join(two, 0);
    return seen;
}
