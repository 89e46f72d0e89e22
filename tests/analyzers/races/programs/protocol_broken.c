/* Peterson's protocol without the turn that breaks ties, and with the flag set too late: both can be inside. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants_one, wants_other;
static int inside;

static void *one(void *unused)
{
    while (atomic_load(&wants_other))
        ;
    atomic_store(&wants_one, 1);
    inside = 1; // race
    atomic_store(&wants_one, 0);
    return unused;
}

static void *other(void *unused)
{
    while (atomic_load(&wants_one))
        ;
    atomic_store(&wants_other, 1);
    inside = 2; // race
    atomic_store(&wants_other, 0);
    return unused;
}

int main(void)
{
    pthread_t first, second;

    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, other, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return inside;
}
