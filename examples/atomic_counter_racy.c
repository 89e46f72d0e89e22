/* Atomic here, plain there.
 *
 * The workers count with an atomic operation. The monitor looks at the same variable with a plain read, which
 * the compiler may move out of its loop, split or repeat: atomicity protects a variable only when every
 * access that can overlap another is atomic.
 */
#include <pthread.h>
#include <stdio.h>

#define JOBS 100000

static int done;

static void *work(void *unused)
{
    (void)unused;
    for (int job = 0; job < JOBS; job++)
        __atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

static void *monitor(void *unused)
{
    (void)unused;
    while (done < JOBS) // expect: race/mixed-atomic
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
