// Trying until it works, with and without a limit.
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int patient, hasty;

static void *worker(void *unused) {
    int tries = 0;
    while (pthread_mutex_trylock(&lock) != 0)
        sched_yield();
    patient++;
    pthread_mutex_unlock(&lock);
    int taken = 0;
    while (!taken && tries++ < 10)
        taken = pthread_mutex_trylock(&lock) == 0;
    hasty++; // race: hasty
    if (taken)
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
