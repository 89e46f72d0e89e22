// Compound literals are objects of their own, also as arguments of threads.
#include <pthread.h>

struct job { int *where; int amount; };
static int total, safe;

static void *worker(void *argument) {
    struct job *job = argument;
    *job->where += job->amount; // race: total
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, &(struct job){.where = &total, .amount = 1});
    total--; // race: total
    safe--;
    pthread_join(one, 0);
    return 0;
}
