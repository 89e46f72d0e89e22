/* Trylock, and nobody asks whether it worked.
 *
 * `pthread_mutex_trylock` does not wait: when another thread holds the lock it returns an error and the caller
 * goes on without the lock. Here the caller goes on in any case, changes the log, and then unlocks a lock that
 * it may never have had.
 */
#include <pthread.h>
#include <stdio.h>

#define LINES 100000

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static long written;

static void *write_log(void *unused)
{
    (void)unused;
    for (int line = 0; line < LINES; line++) {
        pthread_mutex_trylock(&log_lock);
        written++; // expect: race/lost-update
        pthread_mutex_unlock(&log_lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t first, second;

    pthread_create(&first, NULL, write_log, NULL);
    pthread_create(&second, NULL, write_log, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("%d lines, %ld written\n", 2 * LINES, written);
    return 0;
}
