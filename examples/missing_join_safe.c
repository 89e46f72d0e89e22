/* The sum again, read after the join.
 *
 * `pthread_join` returns when the thread has ended, and everything the thread wrote is then visible. No lock
 * is needed: the two accesses can no longer happen at the same time.
 */
#include <pthread.h>
#include <stdio.h>

#define ENTRIES 1000000

static long sum;

static void *add_up(void *unused)
{
    (void)unused;
    long so_far = 0;
    for (long entry = 1; entry <= ENTRIES; entry++)
        so_far += entry;
    sum = so_far;
    return NULL;
}

int main(void)
{
    pthread_t adder;

    pthread_create(&adder, NULL, add_up, NULL);
    pthread_join(adder, NULL);
    printf("the sum is %ld\n", sum);
    return 0;
}
