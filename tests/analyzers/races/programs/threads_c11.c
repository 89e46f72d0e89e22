// C11 threads and locks.
#include <threads.h>

static mtx_t lock;
static int guarded, bare;
static once_flag flag = ONCE_FLAG_INIT;
static int prepared;

static void prepare(void) { prepared = 1; }

static int worker(void *unused) {
    call_once(&flag, prepare);
    mtx_lock(&lock);
    guarded += prepared;
    mtx_unlock(&lock);
    bare++; // race
    return 0;
}

int main(void) {
    thrd_t one, two;
    mtx_init(&lock, mtx_plain);
    thrd_create(&one, worker, NULL);
    thrd_create(&two, worker, NULL);
    thrd_join(one, NULL);
    thrd_join(two, NULL);
    return guarded + bare;
}
