// A flag set under a lock publishes what was written before it; what is written after it is not.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, data, late;

static void *producer(void *unused) {
    data = 42;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    late = 1; // race: late
    return 0;
}

static void *consumer(void *unused) {
    int seen = 0;
    while (!seen) {
        pthread_mutex_lock(&lock);
        seen = ready;
        pthread_mutex_unlock(&lock);
    }
    return data + late ? unused : 0; // race: late
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, producer, 0);
    pthread_create(&two, 0, consumer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
