// The thread exists on one path only; without it nothing runs beside main.
#include <pthread.h>

static int value;
extern int wanted(void);

static void *worker(void *unused) {
    value = 1;
    return 0;
}

int main(void) {
    pthread_t one;
    int started = wanted();
    if (started)
        pthread_create(&one, 0, worker, 0);
    else
        value = 2;
    if (started)
        pthread_join(one, 0);
    value = 3;
    return 0;
}
