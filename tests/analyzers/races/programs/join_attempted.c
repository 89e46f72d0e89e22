/* An attempt to join waits for the thread only where it succeeds. */
#define _GNU_SOURCE
#include <pthread.h>

static int checked, ignored;

static void *first(void *unused)
{
    checked = 1;
    return unused;
}

static void *second(void *unused)
{
    ignored = 1; // race
    return unused;
}

int main(void)
{
    pthread_t one, other;

    pthread_create(&one, 0, first, 0);
    pthread_create(&other, 0, second, 0);
    if (pthread_tryjoin_np(one, 0) == 0)
        checked = 2;
    pthread_tryjoin_np(other, 0);
    return ignored; // race
}
