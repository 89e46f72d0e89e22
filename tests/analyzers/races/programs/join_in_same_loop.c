// Each thread is joined before the next one starts, so they never run together.
#include <pthread.h>

static int value;

static void *worker(void *unused) {
    value++;
    return 0;
}

int main(void) {
    for (int i = 0; i < 10; i++) {
        pthread_t one;
        pthread_create(&one, 0, worker, 0);
        pthread_join(one, 0);
        value--;
    }
    return value;
}
