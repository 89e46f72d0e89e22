// A switch with fall through: one case locks, the next is reached with and without the lock.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int locked, both, plain;
extern int kind(void);

static void *worker(void *unused) {
    switch (kind()) {
    case 0:
        pthread_mutex_lock(&lock);
        locked++;
        pthread_mutex_unlock(&lock);
        break;
    case 1:
        pthread_mutex_lock(&lock);
        /* fall through */
    case 2:
        both++; // race: both
        break;
    default:
        plain++; // race: plain
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
