// A loop that is left by a break while the lock is held.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *worker(void *unused) {
    while (1) {
        pthread_mutex_lock(&lock);
        if (done) {
            break;
        }
        done = 1;
        pthread_mutex_unlock(&lock);
    }
    done = 2;
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
