// Rows of a matrix with constant indices.
#include <pthread.h>

static int grid[2][3];

static void *worker(void *unused) {
    grid[0][1] = 1;
    grid[1][1] = 1; // race
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    grid[0][2] = 2;
    grid[1][0] = 2;
    grid[1][1] = 2; // race
    pthread_join(one, 0);
    return 0;
}
