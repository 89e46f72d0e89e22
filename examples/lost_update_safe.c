/* The hit counter again, with a lock.
 *
 * Reading the old value and writing the new one now happen while the thread holds `hits_lock`, so the other
 * thread cannot come in between. `main` needs no lock: it reads the total after both threads were joined.
 */
#include <pthread.h>
#include <stdio.h>

#define REQUESTS 100000

static pthread_mutex_t hits_lock = PTHREAD_MUTEX_INITIALIZER;
static int hits;

static void *serve(void *unused)
{
    (void)unused;
    for (int request = 0; request < REQUESTS; request++) {
        pthread_mutex_lock(&hits_lock);
        hits++;
        pthread_mutex_unlock(&hits_lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t first, second;

    pthread_create(&first, NULL, serve, NULL);
    pthread_create(&second, NULL, serve, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("served %d, counted %d\n", 2 * REQUESTS, hits);
    return 0;
}
