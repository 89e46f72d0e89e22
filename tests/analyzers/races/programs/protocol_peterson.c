/* Peterson's protocol, with flags that are read and written atomically: no lock, and only one is inside. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants_one, wants_other, last;
static int inside, outside;

static void *one(void *unused)
{
    atomic_store(&wants_one, 1);
    atomic_store(&last, 1);
    while (atomic_load(&wants_other) && atomic_load(&last) == 1)
        ;
    inside = 1;
    atomic_store(&wants_one, 0);
    outside = 1; // race
    return unused;
}

static void *other(void *unused)
{
    atomic_store(&wants_other, 1);
    atomic_store(&last, 2);
    while (atomic_load(&wants_one) && atomic_load(&last) == 2)
        ;
    inside = 2;
    atomic_store(&wants_other, 0);
    outside = 2; // race
    return unused;
}

int main(void)
{
    pthread_t first, second;

    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, other, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return inside + outside;
}
