// Threads in an array, created and joined by two loops with the same bounds.
#include <pthread.h>

#define COUNT 5
static int total;

static void *worker(void *unused) {
    total++; // race
    return 0;
}

int main(void) {
    pthread_t threads[COUNT];
    for (int i = 0; i < COUNT; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < COUNT; i++)
        pthread_join(threads[i], 0);
    total++;
    return total;
}
