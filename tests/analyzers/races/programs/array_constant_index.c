// Elements with different constant indices are different places.
#include <pthread.h>

static int slots[4];

static void *worker(void *unused) {
    slots[0] = 1;
    slots[1] = 1; // race
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    slots[2] = 2;
    slots[1] = 2; // race
    *(slots + 3) = 2;
    pthread_join(one, 0);
    return slots[0];
}
