/* Trylock, and the result decides.
 *
 * The line is written when the lock was free and dropped when it was not. Each thread counts what it had to
 * drop in a variable of its own, and hands it over when it ends.
 */
#include <pthread.h>
#include <stdio.h>

#define LINES 100000

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static long written;

static void *write_log(void *dropped)
{
    long mine = 0;
    for (int line = 0; line < LINES; line++) {
        if (pthread_mutex_trylock(&log_lock) != 0) {
            mine++;
            continue;
        }
        written++;
        pthread_mutex_unlock(&log_lock);
    }
    *(long *)dropped = mine;
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    long first_dropped = 0, second_dropped = 0;

    pthread_create(&first, NULL, write_log, &first_dropped);
    pthread_create(&second, NULL, write_log, &second_dropped);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("%d lines, %ld written, %ld dropped\n", 2 * LINES, written, first_dropped + second_dropped);
    return 0;
}
