// A heap object handed to a thread, and used by its creator meanwhile.
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *argument) {
    int *cell = argument;
    *cell = 2; // race
    return 0;
}

int main(void) {
    pthread_t one;
    int *cell = malloc(sizeof(int));
    *cell = 1;
    pthread_create(&one, 0, worker, cell);
    int now = *cell; // race
    pthread_join(one, 0);
    now += *cell;
    free(cell);
    return now;
}
