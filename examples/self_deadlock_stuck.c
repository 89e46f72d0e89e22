/* Self-deadlock: a logger that waits for itself.
 *
 * `log_line` holds the lock of the log. When the log is full it calls `rotate`, which is also called from
 * elsewhere and therefore takes the same lock: the thread now waits for a lock that only it can give back.
 * The first thousand lines are written without any trouble.
 */
#include <pthread.h>
#include <stdio.h>

#define CAPACITY 1000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;
static int rotations;

static void rotate(void)
{
    pthread_mutex_lock(&lock); // expect: race/self-deadlock
    lines = 0;
    rotations++;
    pthread_mutex_unlock(&lock);
}

static void log_line(void)
{
    pthread_mutex_lock(&lock);
    if (lines == CAPACITY)
        rotate();
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
