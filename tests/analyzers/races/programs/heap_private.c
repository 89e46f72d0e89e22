// What a thread allocates and nobody else reaches is its own.
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *unused) {
    int *mine = malloc(sizeof *mine);
    *mine = 1;
    *mine += 1;
    free(mine);
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
