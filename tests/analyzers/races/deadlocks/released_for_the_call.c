// The lock is given back before the function that takes it is called.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void flush(void) {
    pthread_mutex_lock(&lock);
    total = 0;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    if (total++ > 8) {
        pthread_mutex_unlock(&lock);
        flush();
        return unused;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    flush();
    pthread_join(one, 0);
    return 0;
}
