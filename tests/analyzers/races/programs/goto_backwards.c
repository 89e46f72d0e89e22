// A loop made of goto: the lock is taken again for each round.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int rounds, loose;
extern int more(void);

static void *worker(void *unused) {
again:
    pthread_mutex_lock(&lock);
    rounds++;
    pthread_mutex_unlock(&lock);
    loose++; // race
    if (more())
        goto again;
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
