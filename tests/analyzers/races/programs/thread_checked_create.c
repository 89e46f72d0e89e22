// Creating a thread may fail, and the program leaves then.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int value;

static void *worker(void *unused) {
    value = 1; // race
    return 0;
}

int main(void) {
    pthread_t one;
    if (pthread_create(&one, NULL, worker, NULL) != 0) {
        fprintf(stderr, "no thread\n");
        return 1;
    }
    value = 2; // race
    if (pthread_join(one, NULL))
        exit(1);
    value = 3;
    return 0;
}
