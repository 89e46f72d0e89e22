/* One ticket for all: the threads do not know which of them they are.
 *
 * Every worker gets the address of the loop variable and reads its own number from there. By the time it
 * does, `main` may have gone on to the next number: two workers then announce the same one.
 */
#include <pthread.h>
#include <stdio.h>

#define WORKERS 4

static void *work(void *argument)
{
    int number = *(int *)argument; // expect: race/read-write
    printf("worker %d\n", number);
    return NULL;
}

int main(void)
{
    pthread_t workers[WORKERS];
    int next;

    for (next = 0; next < WORKERS; next++)
        pthread_create(&workers[next], NULL, work, &next);
    for (int worker = 0; worker < WORKERS; worker++)
        pthread_join(workers[worker], NULL);
    return 0;
}
