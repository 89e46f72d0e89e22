// The pointer is atomic; what it points to is not.
#include <pthread.h>
#include <stdatomic.h>

static int cell;
static int *_Atomic pointer = &cell;
static _Atomic int number;

static void *worker(void *unused) {
    int *mine = atomic_load(&pointer);
    *mine = 1; // race: cell
    _Atomic int *where = &number;
    *where = 3;
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    pointer = &cell;
    cell = 2; // race: cell
    number = 4;
    pthread_join(one, 0);
    return 0;
}
