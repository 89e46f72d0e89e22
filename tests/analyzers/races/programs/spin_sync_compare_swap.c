// The older builtin that gives its success as a truth value.
#include <pthread.h>

static int first_lock;
static int first, bare;

static void *worker(void *unused) {
    while (!__sync_bool_compare_and_swap(&first_lock, 0, 1))
        ;
    first++;
    __sync_lock_release(&first_lock);
    if (__sync_bool_compare_and_swap(&first_lock, 0, 1) == 0)
        bare++; // race: bare
    return 0;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_create(&three, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
