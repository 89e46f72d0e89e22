// Each thread has its own thread-local variables, in all three spellings.
#include <pthread.h>

static __thread int gnu;
static _Thread_local int standard = 3;
thread_local int modern;
static int common;

static int inside(void) {
    static _Thread_local int calls;
    return ++calls;
}

static void *worker(void *unused) {
    gnu++;
    standard++;
    modern++;
    inside();
    common++; // race
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    gnu = standard = modern = 0;
    inside();
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
