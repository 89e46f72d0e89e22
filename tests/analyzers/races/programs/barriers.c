/* Barriers: what different phases do is never at once, and one thread of each phase is the serial one. */
#include <pthread.h>

static pthread_barrier_t barrier;
static int rows[2][64], current, rounds, unfinished;

static void *work(void *argument)
{
    int mine = (int)(long)argument;

    for (int step = 0; step < 10; step++) {
        rows[1][mine] = rows[0][(mine + 1) % 64];
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
            rounds++;
            current = !current;
        }
        pthread_barrier_wait(&barrier);
        rows[0][mine] = rows[1][mine] + current;
        unfinished = step; // race: unfinished
        pthread_barrier_wait(&barrier);
    }
    return 0;
}

int main(void)
{
    pthread_t threads[2];

    pthread_barrier_init(&barrier, 0, 2);
    for (long thread = 0; thread < 2; thread++)
        pthread_create(&threads[thread], 0, work, (void *)thread);
    for (int thread = 0; thread < 2; thread++)
        pthread_join(threads[thread], 0);
    return rounds + unfinished;
}
