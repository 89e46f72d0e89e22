// The members of a union share their bytes.
#include <pthread.h>

union word { int whole; short half; };
static union word word;

static void *worker(void *unused) {
    word.whole = 1; // race
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    word.half = 2; // race
    pthread_join(one, 0);
    return word.whole;
}
