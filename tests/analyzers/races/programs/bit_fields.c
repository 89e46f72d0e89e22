// Adjacent bit-fields share a memory location; a field of width zero separates them.
#include <pthread.h>

static struct {
    unsigned ready : 1, done : 1;
    unsigned : 0;
    unsigned apart : 1;
} flags;

static void *worker(void *unused) {
    flags.ready = 1; // race
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    flags.done = 1; // race
    flags.apart = 1;
    pthread_join(one, 0);
    return 0;
}
