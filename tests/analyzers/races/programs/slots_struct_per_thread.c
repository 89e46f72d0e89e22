// A structure for each thread, in an array; a field of it points to something they share.
#include <pthread.h>

struct job { int id, done; int *shared; };
static struct job jobs[3];
static int common;

static void *worker(void *argument) {
    struct job *job = argument;
    job->done = job->id + 1;
    *job->shared += 1; // race
    return 0;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        jobs[i].id = i;
        jobs[i].shared = &common;
        pthread_create(&threads[i], 0, worker, &jobs[i]);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return jobs[0].done;
}
