// A callback runs where it is called: once under the lock, once without.
#include <pthread.h>

typedef void (*visitor)(int *);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[3], loose;

static void visit(visitor each, int *what) {
    each(what);
}

static void guarded_visit(visitor each, int *what) {
    pthread_mutex_lock(&lock);
    each(what);
    pthread_mutex_unlock(&lock);
}

static void clear(int *item) { *item = 0; } // race: loose

static void *worker(void *unused) {
    guarded_visit(clear, &items[1]);
    visit(&clear, &loose);
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
