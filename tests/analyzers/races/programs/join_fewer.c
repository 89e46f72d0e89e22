// The joining loop starts at one, so the thread at zero is never joined.
#include <pthread.h>

#define COUNT 4
static int total;

static void *worker(void *unused) {
    total++; // race
    return 0;
}

int main(void) {
    pthread_t threads[COUNT];
    for (int i = 0; i < COUNT; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 1; i < COUNT; i++)
        pthread_join(threads[i], 0);
    return total; // race
}
