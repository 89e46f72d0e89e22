// The structures of the threads live in main's frame; main looks into one too early.
#include <pthread.h>

struct job { int in, out; };

static void *worker(void *argument) {
    struct job *job = argument;
    job->out = job->in; // race
    return 0;
}

int main(void) {
    struct job jobs[2] = {{1, 0}, {2, 0}};
    pthread_t one, two;
    pthread_create(&one, 0, worker, &jobs[0]);
    pthread_create(&two, 0, worker, &jobs[1]);
    int early = jobs[1].out; // race
    pthread_join(one, 0);
    pthread_join(two, 0);
    return early + jobs[0].out;
}
