// Each thread gets an object of its own from the same allocation site.
#include <pthread.h>
#include <stdlib.h>

#define THREADS 8

static void *worker(void *argument) {
    int *cell = argument;
    *cell += 1;
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    int i;
    for (i = 0; i < THREADS; i++) {
        int *cell = malloc(sizeof(int));
        *cell = i;
        pthread_create(&threads[i], 0, worker, cell);
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
