/* Missing join: an answer that is read before it is there.
 *
 * `main` starts a thread that adds up a table, prints the sum, and waits for the thread afterwards. The join
 * is in the program, but one line too late: nothing says that the sum is complete when it is printed, and it
 * seldom is.
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
    printf("the sum is %ld\n", sum); // expect: race/missing-join
    pthread_join(adder, NULL);
    return 0;
}
