// A lock made by compare-and-swap; a second one tests and sets in two steps, which locks nothing.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock, broken;
static int value, unguarded;

static void acquire(void) {
    int expected = 0;
    while (!atomic_compare_exchange_weak(&lock, &expected, 1))
        expected = 0;
}

static void acquire_broken(void) {
    while (atomic_load(&broken) != 0)
        ;
    atomic_store(&broken, 1);
}

static void *worker(void *unused) {
    acquire();
    value++;
    atomic_store(&lock, 0);
    acquire_broken();
    unguarded++; // race: unguarded
    atomic_store(&broken, 0);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
