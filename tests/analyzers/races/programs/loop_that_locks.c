// The lock is taken and given back in each round; what comes after the loop is not guarded.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside, after;

static void *worker(void *unused) {
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&lock);
        if (inside > 50) {
            pthread_mutex_unlock(&lock);
            continue;
        }
        inside++;
        pthread_mutex_unlock(&lock);
    }
    after++; // race: after
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
