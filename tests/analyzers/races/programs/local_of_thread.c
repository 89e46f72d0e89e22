// Each thread has its own locals, also those whose address is taken.
#include <pthread.h>

static void bump(int *number) {
    *number += 1;
}

static void *worker(void *unused) {
    int mine = 0;
    bump(&mine);
    bump(&mine);
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
