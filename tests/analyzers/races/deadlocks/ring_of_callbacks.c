// Three threads and three locks in a ring, through a callback.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;

static void take_a(void) {
    pthread_mutex_lock(&a); // order
    pthread_mutex_unlock(&a);
}

static void take_b(void) {
    pthread_mutex_lock(&b); // order
    pthread_mutex_unlock(&b);
}

static void take_c(void) {
    pthread_mutex_lock(&c); // order
    pthread_mutex_unlock(&c);
}

static void under(pthread_mutex_t *lock, void (*then)(void)) {
    pthread_mutex_lock(lock); // held
    then();
    pthread_mutex_unlock(lock);
}

static void *first(void *unused) {
    under(&a, take_b);
    return unused;
}

static void *second(void *unused) {
    under(&b, take_c);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    under(&c, take_a);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
