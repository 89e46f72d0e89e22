// Waiting for a plain variable orders nothing: the variable itself races too.
#include <pthread.h>

static int busy, value;

static void *worker(void *unused) {
    while (busy) // race: busy
        ;
    busy = 1; // race: busy
    value++; // race: value
    busy = 0; // race: busy
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
