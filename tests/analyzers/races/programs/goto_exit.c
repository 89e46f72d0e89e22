// The usual clean-up by goto: one label unlocks, the other is behind it.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int work, failures, ends;
extern int fails(void);

static void *worker(void *unused) {
    if (fails())
        goto out;
    pthread_mutex_lock(&lock);
    work++;
    if (fails())
        goto unlock;
    work++;
    failures++;
unlock:
    failures++;
    pthread_mutex_unlock(&lock);
out:
    ends++; // race: ends
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
