// Each thread gets a pointer to its own number and works in the slot of that number.
#include <pthread.h>

static int ids[4];
static int results[4];

static void *worker(void *argument) {
    int id = *(int *)argument;
    results[id] = id * id;
    return 0;
}

int main(void) {
    pthread_t threads[4];
    int i;
    for (i = 0; i < 4; i++) {
        ids[i] = i;
        pthread_create(&threads[i], 0, worker, &ids[i]);
    }
    for (i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    return results[0];
}
