// A recursive function, guarded by its caller; another one is not.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int guarded, bare;

static void down(int depth) {
    guarded++;
    if (depth)
        down(depth - 1);
}

static void down_bare(int depth) {
    if (depth > 0)
        down_bare(depth - 1);
    bare++; // race: bare
}

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    down(10);
    pthread_mutex_unlock(&lock);
    down_bare(10);
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
