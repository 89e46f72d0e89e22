// The number of threads is known only when the program runs; handles and locals live on the heap.
#include <pthread.h>
#include <stdlib.h>

static int total;

static void *worker(void *unused) {
    total++; // race
    return 0;
}

int main(int argc, char **argv) {
    int count = atoi(argv[1]);
    pthread_t *threads = malloc(count * sizeof(pthread_t));
    int i;
    for (i = 0; i < count; ++i)
        pthread_create(&threads[i], NULL, worker, NULL);
    total = 0; // race
    for (i = 0; i < count; ++i)
        pthread_join(threads[i], NULL);
    total++;
    return total;
}
