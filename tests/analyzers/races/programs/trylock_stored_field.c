// Whether the lock was taken is remembered in a structure of the thread.
#include <pthread.h>

struct attempt { int failed; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *worker(void *unused) {
    struct attempt attempt;
    attempt.failed = pthread_mutex_trylock(&lock);
    if (!attempt.failed) {
        value++;
        pthread_mutex_unlock(&lock);
    }
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
