// An atomic flag that is set once publishes what was written before it.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data, unordered;

static void *producer(void *unused) {
    data = 42; // race: data
    atomic_store_explicit(&ready, 1, memory_order_release);
    return 0;
}

static void *consumer(void *unused) {
    int guess = data; // race: data
    if (atomic_load_explicit(&ready, memory_order_acquire))
        guess += data;
    unordered = guess;
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, producer, 0);
    pthread_create(&two, 0, consumer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return unordered;
}
