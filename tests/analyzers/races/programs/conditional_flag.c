// Whether the lock is taken depends on a local flag, which is tested again before it is given back.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;
extern int is_shared(void);

static void *worker(void *unused) {
    int locked = 0;
    if (is_shared()) {
        pthread_mutex_lock(&lock);
        locked = 1;
    }
    if (locked)
        value++;
    if (locked)
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
