// A pointer moved through an array reaches the element it points to.
#include <pthread.h>

static int row[8];

static void *worker(void *unused) {
    int *cursor = row;
    cursor++;
    *cursor = 1; // race
    cursor += 2;
    *cursor = 1;
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    row[1] = 2; // race
    row[2] = 2;
    pthread_join(one, 0);
    return 0;
}
