// A static of the file is shared like any global.
#include <pthread.h>

static long hits;

static void *worker(void *unused) {
    hits += 2; // race: hits
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    hits -= 1; // race: hits
    pthread_join(one, 0);
    return (int)hits;
}
