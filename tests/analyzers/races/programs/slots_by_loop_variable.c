// Every thread gets the address of the loop variable itself: they read it while the loop changes it.
#include <pthread.h>

static void *worker(void *argument) {
    int id = *(int *)argument; // race
    return id ? argument : 0;
}

int main(void) {
    pthread_t threads[4];
    int i;
    for (i = 0; i < 4; i++) // race
        pthread_create(&threads[i], 0, worker, &i);
    for (i = 0; i < 4; i++) // race
        pthread_join(threads[i], 0);
    return 0;
}
