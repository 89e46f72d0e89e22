/* Hand-written lock, broken: the test and the set are two steps.
 *
 * Every access to `busy` is atomic, and still this is no lock. Two threads can both see `busy` at 0, one
 * after the other, before either of them sets it to 1. Both then enter, and both change `stock`.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define SALES 100000

static atomic_int busy;
static int stock = 2 * SALES;

static void enter(void)
{
    while (atomic_load(&busy) == 1)
        ;
    atomic_store(&busy, 1);
}

static void leave(void)
{
    atomic_store(&busy, 0);
}

static void *sell(void *unused)
{
    (void)unused;
    for (int sale = 0; sale < SALES; sale++) {
        enter();
        stock--; // expect: race/lost-update
        leave();
    }
    return NULL;
}

int main(void)
{
    pthread_t first, second;

    pthread_create(&first, NULL, sell, NULL);
    pthread_create(&second, NULL, sell, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("everything was sold, and the stock is %d\n", stock);
    return 0;
}
