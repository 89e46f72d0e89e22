// Each thread reads its own range and writes one slot; the bounds and the number lie in a structure for each.
#include <pthread.h>

#define SIZE 100
#define THREADS 4
struct range { int id, from, to; };
static int data[SIZE], partial[THREADS], best;

static void *worker(void *argument) {
    struct range *range = argument;
    int sum = 0;
    for (int i = range->from; i < range->to; i++)
        sum += data[i];
    partial[range->id] = sum;
    best = sum; // race: best
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    struct range ranges[THREADS];
    int sum = 0;
    for (int i = 0; i < SIZE; i++)
        data[i] = i;
    for (int t = 0; t < THREADS; t++) {
        ranges[t].id = t;
        ranges[t].from = t * SIZE / THREADS;
        ranges[t].to = (t + 1) * SIZE / THREADS;
        pthread_create(&threads[t], 0, worker, &ranges[t]);
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(threads[t], 0);
        sum += partial[t];
    }
    return sum;
}
