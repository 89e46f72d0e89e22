/* One slot for each thread: sharing an array without sharing an element.
 *
 * All workers write to `jobs`, but each only to the element whose address it was given, and `main` reads the
 * elements after it joined the threads. Nothing is locked and nothing is raced for.
 */
#include <pthread.h>
#include <stdio.h>

#define WORKERS 4

struct job {
    int number;
    long result;
};

static struct job jobs[WORKERS];

static void *work(void *argument)
{
    struct job *job = argument;
    for (long step = 0; step <= job->number; step++)
        job->result += step;
    return NULL;
}

int main(void)
{
    pthread_t workers[WORKERS];
    long total = 0;

    for (int worker = 0; worker < WORKERS; worker++) {
        jobs[worker].number = 1000 * worker;
        pthread_create(&workers[worker], NULL, work, &jobs[worker]);
    }
    for (int worker = 0; worker < WORKERS; worker++) {
        pthread_join(workers[worker], NULL);
        total += jobs[worker].result;
    }
    printf("all workers together: %ld\n", total);
    return 0;
}
