// An array of locks beside an array of data, used with one index.
#include <pthread.h>

#define BUCKETS 16
static pthread_mutex_t locks[BUCKETS];
static int buckets[BUCKETS];
extern unsigned hash(void *key);

static void *worker(void *key) {
    unsigned i = hash(key) % BUCKETS;
    pthread_mutex_lock(&locks[i]);
    buckets[i]++;
    pthread_mutex_unlock(&locks[i]);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, &one);
    pthread_create(&two, 0, worker, &two);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
