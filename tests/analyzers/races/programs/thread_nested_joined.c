// A thread that waits for its own thread: joining the outer one orders both.
#include <pthread.h>

static int value;

static void *grandchild(void *unused) {
    value++;
    return 0;
}

static void *child(void *unused) {
    pthread_t inner;
    value++;
    pthread_create(&inner, 0, grandchild, 0);
    pthread_join(inner, 0);
    value++;
    return 0;
}

int main(void) {
    pthread_t outer;
    pthread_create(&outer, 0, child, 0);
    pthread_join(outer, 0);
    value++;
    return value;
}
