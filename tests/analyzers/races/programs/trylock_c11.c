// C11: mtx_trylock gives thrd_success, which is tested by name; mtx_timedlock may give up.
#include <threads.h>

static mtx_t lock;
static int value, late;

static int worker(void *unused) {
    if (mtx_trylock(&lock) == thrd_success) {
        value++;
        mtx_unlock(&lock);
    }
    struct timespec soon = {1, 0};
    mtx_timedlock(&lock, &soon);
    late++; // race: late
    mtx_unlock(&lock);
    return 0;
}

int main(void) {
    thrd_t one, two;
    mtx_init(&lock, mtx_plain);
    thrd_create(&one, worker, 0);
    thrd_create(&two, worker, 0);
    thrd_join(one, 0);
    thrd_join(two, 0);
    return value;
}
