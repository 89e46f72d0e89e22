// The same with a plain counter under a lock.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next, slots[100];

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    int mine = next;
    next = next + 1;
    pthread_mutex_unlock(&lock);
    slots[mine] = 1; // race
    slots[0] = 2; // race
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
