// What comes after the end of a thread or program never runs.
#include <pthread.h>
#include <stdlib.h>

static int before, after;

static void finish(void) { pthread_exit(0); }

static void *worker(void *unused) {
    before++; // race: before
    finish();
    after++;
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    if (pthread_join(one, 0) || pthread_join(two, 0)) {
        exit(1);
        before = 3;
    }
    return 0;
}
