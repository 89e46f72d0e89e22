// Waiting for a predicate under the lock: the lock is held again when the wait returns.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int items, peeked;

static void *producer(void *unused) {
    pthread_mutex_lock(&lock);
    items++;
    peeked++; // race: peeked
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    while (items == 0)
        pthread_cond_wait(&ready, &lock);
    items--;
    pthread_mutex_unlock(&lock);
    return peeked ? unused : 0; // race: peeked
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, producer, 0);
    pthread_create(&two, 0, consumer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return items;
}
