// A thread that creates a thread and does not wait for it; joining the first says nothing about the second.
#include <pthread.h>

static int waited, lost;

static void *grandchild(void *unused) {
    lost = 1; // race: lost
    return 0;
}

static void *child(void *unused) {
    pthread_t inner;
    pthread_create(&inner, 0, grandchild, 0);
    waited = 1;
    return 0;
}

int main(void) {
    pthread_t outer;
    pthread_create(&outer, 0, child, 0);
    pthread_join(outer, 0);
    waited = 2;
    lost = 2; // race: lost
    return 0;
}
