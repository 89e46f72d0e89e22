// A helper creates the thread and another one waits for it.
#include <pthread.h>

static pthread_t thread;
static int shared;

static void *worker(void *unused) {
    shared = 1; // race
    return 0;
}

static void start(void) { pthread_create(&thread, 0, worker, 0); }
static void stop(void) { pthread_join(thread, 0); }

int main(void) {
    shared = 0;
    start();
    shared = 2; // race
    stop();
    shared = 3;
    return shared;
}
