/* Check, then act: a table that is built twice.
 *
 * The first caller should build the table and everybody else should use it. Two callers can both find it
 * missing and both build it: one table leaks, and a caller that read the pointer early can see a table whose
 * entries are not written yet.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ENTRIES 256

static int *squares;

static int *get_squares(void)
{
    if (squares == NULL) { // expect: race/read-write
        int *table = malloc(ENTRIES * sizeof *table);
        if (table == NULL)
            abort();
        for (int entry = 0; entry < ENTRIES; entry++)
            table[entry] = entry * entry;
        squares = table;
    }
    return squares;
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
