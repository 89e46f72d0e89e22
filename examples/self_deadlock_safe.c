/* Self-deadlock: a logger that takes its lock once.
 *
 * What `rotate` does is in `rotate_locked`, which expects its caller to hold the lock and says so in its name.
 * `rotate` takes the lock for those who do not hold it; `log_line`, which holds it already, calls the inner one.
 * Nothing is done twice, and no lock is taken by who has it.
 */
#include <pthread.h>
#include <stdio.h>

#define CAPACITY 1000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;
static int rotations;

static void rotate_locked(void)
{
    lines = 0;
    rotations++;
}

static void rotate(void)
{
    pthread_mutex_lock(&lock);
    rotate_locked();
    pthread_mutex_unlock(&lock);
}

static void log_line(void)
{
    pthread_mutex_lock(&lock);
    if (lines == CAPACITY)
        rotate_locked();
    lines++;
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    (void)unused;
    for (int line = 0; line < 2 * CAPACITY; line++)
        log_line();
    return NULL;
}

int main(void)
{
    pthread_t worker;

    pthread_create(&worker, NULL, work, NULL);
    rotate();
    pthread_join(worker, NULL);
    printf("rotated %d times\n", rotations);
    return 0;
}
