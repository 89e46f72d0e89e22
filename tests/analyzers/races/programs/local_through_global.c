// A local that escapes through a global pointer is shared from then on.
#include <pthread.h>

static int *volatile exposed;

static void *worker(void *unused) {
    *exposed = 5; // race
    return 0;
}

int main(void) {
    pthread_t one;
    int inside = 0;
    inside = 1;
    exposed = &inside;
    pthread_create(&one, 0, worker, 0);
    inside = 2; // race
    pthread_join(one, 0);
    return inside;
}
