/* The table again: the check and the act under one lock.
 *
 * Whoever holds `squares_lock` finds the table either missing or complete, never in between. The pointer is
 * handed out while the lock is held; the entries never change after that, so reading them needs no lock.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ENTRIES 256

static pthread_mutex_t squares_lock = PTHREAD_MUTEX_INITIALIZER;
static int *squares;

static int *get_squares(void)
{
    pthread_mutex_lock(&squares_lock);
    if (squares == NULL) {
        int *table = malloc(ENTRIES * sizeof *table);
        if (table == NULL)
            abort();
        for (int entry = 0; entry < ENTRIES; entry++)
            table[entry] = entry * entry;
        squares = table;
    }
    int *result = squares;
    pthread_mutex_unlock(&squares_lock);
    return result;
}

static void *look_up(void *unused)
{
    (void)unused;
    printf("15 squared is %d\n", get_squares()[15]);
    return NULL;
}

int main(void)
{
    pthread_t first, second;

    pthread_create(&first, NULL, look_up, NULL);
    pthread_create(&second, NULL, look_up, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    free(squares);
    return 0;
}
