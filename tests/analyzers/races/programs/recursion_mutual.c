// Two functions that call each other; one of them takes the lock for the other.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int odds, evens;

static void even(int n);

static void odd(int n) {
    pthread_mutex_lock(&lock);
    odds++;
    pthread_mutex_unlock(&lock);
    if (n)
        even(n - 1);
}

static void even(int n) {
    evens++; // race
    if (n)
        odd(n - 1);
}

static void *worker(void *unused) {
    even(6);
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
