// Reading together is no race; main writes before and after the threads run.
#include <pthread.h>

int table;
int seen[2];

static void *reader(void *which) {
    return table ? which : 0;
}

int main(void) {
    pthread_t one, two;
    table = 3;
    pthread_create(&one, 0, reader, &seen[0]);
    pthread_create(&two, 0, reader, &seen[1]);
    pthread_join(one, 0);
    pthread_join(two, 0);
    table = 4;
    return 0;
}
