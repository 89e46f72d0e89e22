// Atomic sections of verification benchmarks: by markers and by the name of a function.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int marked, named, outside;

static void __VERIFIER_atomic_add(void) {
    named++;
}

static void *worker(void *unused) {
    __VERIFIER_atomic_begin();
    marked++;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_add();
    __VERIFIER_atomic_begin();
    outside = 1; // race: outside
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    outside = 2; // race: outside
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
