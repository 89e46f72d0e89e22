// A slot for each thread, found by the number that the thread was given.
#include <pthread.h>

static int sums[8];
static int total;

static void *worker(void *argument) {
    long which = (long)argument;
    sums[which] += 1;
    total += 1; // race: total
    return 0;
}

int main(void) {
    pthread_t threads[8];
    for (long i = 0; i < 8; i++)
        pthread_create(&threads[i], 0, worker, (void *)i);
    for (long i = 0; i < 8; i++)
        pthread_join(threads[i], 0);
    return sums[0];
}
