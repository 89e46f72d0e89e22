// A local whose address goes to a thread is shared with it; one that stays at home is not.
#include <pthread.h>

static void *worker(void *argument) {
    int *shared = argument;
    *shared = 1; // race
    return 0;
}

int main(void) {
    pthread_t one;
    int shared = 0, mine = 0;
    pthread_create(&one, 0, worker, &shared);
    shared = 2; // race
    mine = 2;
    pthread_join(one, 0);
    return shared + mine;
}
