// A callback takes the lock that its caller holds.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void acquire(void) { pthread_mutex_lock(&lock); }
static void release(void) { pthread_mutex_unlock(&lock); }

static void changed(void) {
    acquire(); // self
    total++;
    release();
}

static void each(void (*then)(void)) {
    acquire(); // held
    then();
    release();
}

static void *worker(void *unused) {
    each(changed);
    return unused;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    pthread_join(one, 0);
    return 0;
}
