/* Numbers that an atomic counter hands out are different, and so are the slots they name. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next;
static int slots[64], last;

static void *work(void *unused)
{
    int mine = atomic_fetch_add(&next, 1);

    slots[mine] = mine;
    last = mine; // race
    return unused;
}

int main(void)
{
    pthread_t one, other;

    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return slots[0] + last;
}
