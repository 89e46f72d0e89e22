// The compiler's builtins on plain variables: atomic together, but a plain access beside them races.
#include <pthread.h>

static int modern, legacy, mixed;
static long flags;

static void *worker(void *unused) {
    __atomic_fetch_add(&modern, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&modern, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&flags, 3, __ATOMIC_RELEASE);
    __sync_fetch_and_add(&legacy, 1);
    __sync_sub_and_fetch(&legacy, 1);
    __atomic_fetch_or(&flags, 1, __ATOMIC_SEQ_CST);
    __sync_fetch_and_add(&mixed, 1); // race: mixed
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    long seen = __atomic_load_n(&modern, __ATOMIC_ACQUIRE) + __sync_add_and_fetch(&legacy, 0);
    mixed = 0; // race: mixed
    pthread_join(one, 0);
    pthread_join(two, 0);
    return (int)seen;
}
