// The thread is joined on one path only.
#include <pthread.h>

static int value;
extern int hurry(void);

static void *worker(void *unused) {
    value = 1; // race
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    if (!hurry())
        pthread_join(one, 0);
    return value; // race
}
