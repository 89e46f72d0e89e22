// A detached thread is never joined.
#include <pthread.h>
#include <unistd.h>

static int value;

static void *worker(void *unused) {
    pthread_detach(pthread_self());
    value = 1; // race
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    sleep(1);
    value = 2; // race
    return 0;
}
