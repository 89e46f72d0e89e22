// A static inside a function is one object for all threads; one of the same name elsewhere is another.
#include <pthread.h>

static int next_id(void) {
    static int last;
    last++; // race
    return last; // race
}

static int other_id(void) {
    static int last;
    last++;
    return last;
}

static void *worker(void *unused) {
    next_id();
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    other_id();
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
