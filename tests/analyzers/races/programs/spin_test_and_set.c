// Locks made by hand from test-and-set: C11 flags, GCC builtins, exchange.
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;
static int by_flag, by_builtin, by_exchange, bare;
static volatile int word, swapped;

static void *worker(void *unused) {
    while (atomic_flag_test_and_set(&flag))
        ;
    by_flag++;
    atomic_flag_clear(&flag);
    while (__sync_lock_test_and_set(&word, 1)) // race: word
        while (word) // race: word
            ;
    by_builtin++;
    __sync_lock_release(&word); // race: word
    while (__atomic_exchange_n(&swapped, 1, __ATOMIC_ACQUIRE) != 0)
        ;
    by_exchange++;
    __atomic_store_n(&swapped, 0, __ATOMIC_RELEASE);
    bare++; // race: bare
    return 0;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_create(&three, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
