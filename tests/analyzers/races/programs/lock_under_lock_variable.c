// A lock made by hand under a real one: whoever found it free and took it works alone.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int busy, value;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    while (busy) {
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
    }
    busy = 1;
    pthread_mutex_unlock(&lock);
    value++;
    pthread_mutex_lock(&lock);
    busy = 0;
    pthread_mutex_unlock(&lock);
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
