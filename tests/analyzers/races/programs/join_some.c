// One of two threads is joined; the other may still run.
#include <pthread.h>

static int first_result, second_result;

static void *first(void *unused) { first_result = 1; return 0; }
static void *second(void *unused) { second_result = 1; return 0; } // race

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    return first_result + second_result; // race
}
