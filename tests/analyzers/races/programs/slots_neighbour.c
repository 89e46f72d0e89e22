// A thread that also touches its neighbour's slot.
#include <pthread.h>

static int cells[9];

static void *worker(void *argument) {
    long which = (long)argument;
    cells[which] = 1; // race
    cells[which + 1] = 2; // race
    return 0;
}

int main(void) {
    pthread_t threads[8];
    for (long i = 0; i < 8; i++)
        pthread_create(&threads[i], 0, worker, (void *)i);
    for (long i = 0; i < 8; i++)
        pthread_join(threads[i], 0);
    return 0;
}
