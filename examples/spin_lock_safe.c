/* Hand-written lock, right: test-and-set in one step.
 *
 * `atomic_exchange` writes 1 and returns what was there before, and no other thread can come in between. The
 * thread that gets 0 has taken the lock; the others got 1 and try again. Assay recognises this shape, so the
 * accesses between `enter` and `leave` count as guarded although no mutex is in sight.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define SALES 100000

static atomic_int busy;
static int stock = 2 * SALES;

static void enter(void)
{
    while (atomic_exchange(&busy, 1) == 1)
        ;
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
        stock--;
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
