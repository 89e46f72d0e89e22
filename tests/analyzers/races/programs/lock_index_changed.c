// The index changes while the lock of the old index is held.
#include <pthread.h>

static pthread_mutex_t locks[4];
static int values[4];
extern int pick(void);

static void *worker(void *unused) {
    int i = pick();
    pthread_mutex_lock(&locks[i]);
    i = pick();
    values[i]++; // race
    pthread_mutex_unlock(&locks[i]);
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
