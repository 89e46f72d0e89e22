// The lock with the lower address is taken first.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *x, pthread_mutex_t *y) {
    if (x < y) {
        pthread_mutex_lock(x);
        pthread_mutex_lock(y);
    } else {
        pthread_mutex_lock(y);
        pthread_mutex_lock(x);
    }
    pthread_mutex_unlock(x);
    pthread_mutex_unlock(y);
}

static void *first(void *unused) {
    both(&a, &b);
    return unused;
}

static void *second(void *unused) {
    both(&b, &a);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
