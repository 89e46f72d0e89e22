// Double-checked initialisation: the first look is made without the lock.
#include <pthread.h>
#include <stdlib.h>

static int *instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int *get(void) {
    if (!instance) { // race: instance
        pthread_mutex_lock(&lock);
        if (!instance)
            instance = malloc(sizeof *instance); // race: instance
        pthread_mutex_unlock(&lock);
    }
    return instance; // race: instance
}

static void *worker(void *unused) {
    return get();
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
