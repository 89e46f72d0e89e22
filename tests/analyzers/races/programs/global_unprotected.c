// Two threads change a plain global and nothing orders them.
#include <pthread.h>

int counter;
int only_main;

static void *worker(void *unused) {
    counter++; // race: counter
    return 0;
}

int main(void) {
    pthread_t one, two;
    only_main = 1;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    only_main = 2;
    pthread_join(one, 0);
    pthread_join(two, 0);
    return counter + only_main;
}
