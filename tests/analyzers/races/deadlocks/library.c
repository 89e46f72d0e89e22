// Whoever uses a library calls the function that gives a lock back after the one that returns with it.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

void begin(void) { pthread_mutex_lock(&lock); }

void change(int by) {
    pthread_mutex_lock(&lock); // held
    total += by;
    if (total < 0)
        begin(); // self
    pthread_mutex_unlock(&lock);
}
