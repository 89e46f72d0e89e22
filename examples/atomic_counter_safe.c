/* Atomic everywhere.
 *
 * `done` is declared atomic, so each access to it is: the workers' `++` is one step, and the monitor's read
 * sees a value that was really there.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define JOBS 100000

static atomic_int done;

static void *work(void *unused)
{
    (void)unused;
    for (int job = 0; job < JOBS; job++)
        done++;
    return NULL;
}

static void *monitor(void *unused)
{
    (void)unused;
    while (atomic_load(&done) < JOBS)
        ;
    printf("half of the work is done\n");
    return NULL;
}

int main(void)
{
    pthread_t first, second, watcher;

    pthread_create(&watcher, NULL, monitor, NULL);
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    pthread_join(watcher, NULL);
    return 0;
}
