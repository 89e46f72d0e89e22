// Threads started by a counting loop through a pointer, and joined from the last to the first.
#include <pthread.h>

static int total;

static void *worker(void *unused) {
    total++; // race
    return 0;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(threads + i, 0, worker, 0);
    for (int i = 3; i >= 0; i--)
        pthread_join(threads[i], 0);
    total++;
    return total;
}
