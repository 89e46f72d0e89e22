// A pointer to the lock and to the data goes down two calls.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value, unguarded;

static void change(int *where) {
    *where += 1; // race
}

static void guarded(pthread_mutex_t *mutex, int *where) {
    pthread_mutex_lock(mutex);
    (*where)++;
    pthread_mutex_unlock(mutex);
}

static void *worker(void *unused) {
    guarded(&lock, &value);
    change(&unguarded);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return value;
}
