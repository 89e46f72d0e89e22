// Function definitions in the style before C89.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int guarded, bare;

add(where, mutex, amount)
int *where;
pthread_mutex_t *mutex;
int amount;
{
    pthread_mutex_lock(mutex);
    *where += amount;
    pthread_mutex_unlock(mutex);
    return 0;
}

void *worker(unused)
void *unused;
{
    add(&guarded, &lock, 1);
    bare++; // race: bare
    return 0;
}

main() {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
