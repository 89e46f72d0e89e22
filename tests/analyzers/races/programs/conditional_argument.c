// A function that locks only when it is told to.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int careful, careless;

static void add(int *where, int locking) {
    if (locking)
        pthread_mutex_lock(&lock);
    *where += 1; // race: careless
    if (locking)
        pthread_mutex_unlock(&lock);
}

static void *worker(void *unused) {
    add(&careful, 1);
    add(&careless, 0);
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
