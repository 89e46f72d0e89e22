// POSIX spin locks.
#include <pthread.h>

static pthread_spinlock_t lock;
static int inside, outside;

static void *worker(void *unused) {
    pthread_spin_lock(&lock);
    inside++;
    pthread_spin_unlock(&lock);
    outside++; // race
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return inside;
}
