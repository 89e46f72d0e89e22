/* One barrier in a round where two are needed: the next round's reads are in the same phase as this round's writes. */
#include <pthread.h>

static pthread_barrier_t barrier;
static int total, last;

static void *work(void *unused)
{
    for (int step = 0; step < 10; step++) {
        last = total; // race
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            total++; // race: total
    }
    return unused;
}

int main(void)
{
    pthread_t one, other;

    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return last;
}
