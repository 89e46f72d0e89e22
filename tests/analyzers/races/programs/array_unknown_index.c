// An index that nothing is known about may be any element.
#include <pthread.h>

extern int choose(void);
static int slots[16];

static void *worker(void *unused) {
    slots[choose()] = 1; // race
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    slots[3] = 2; // race
    pthread_join(one, 0);
    return 0;
}
