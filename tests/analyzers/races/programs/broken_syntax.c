// One function does not parse; the others are analysed all the same.
#include <pthread.h>

static int value;

static void broken(int x) {
    if (x == ) { value = 3; // skipped
    }
    return
}

static void *worker(void *unused) {
    value++; // race: value
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    value = 2; // race: value
    pthread_join(one, 0);
    return 0;
}
