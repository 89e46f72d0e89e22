// Functions of other files do not lock anything as far as anybody knows.
#include <pthread.h>

extern void enter_somewhere(void *what);
static int value;

static void *worker(void *unused) {
    enter_somewhere(&value);
    value++; // race
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
