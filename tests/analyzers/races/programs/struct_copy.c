// Copying a whole structure reads or writes every field of it.
#include <pthread.h>

struct pair { int first, second; };
static struct pair shared, other;

static void *worker(void *unused) {
    shared.first = 1; // race
    other.second = 1; // race
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    struct pair mine = shared; // race
    other = mine; // race
    pthread_join(one, 0);
    return mine.first;
}
