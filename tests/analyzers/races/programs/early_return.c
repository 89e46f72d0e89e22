// A way out that forgets the lock, and one that keeps it for the caller.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int forgotten, passed_on;
extern int fails(void);

static int begin(void) {
    pthread_mutex_lock(&lock);
    if (fails()) {
        pthread_mutex_unlock(&lock);
        return -1;
    }
    return 0;
}

static void *worker(void *unused) {
    if (begin() == 0) {
        passed_on++;
        pthread_mutex_unlock(&lock);
    }
    begin();
    forgotten++; // race: forgotten
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
