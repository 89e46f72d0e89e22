/* Lost update: a hit counter that forgets hits.
 *
 * Two threads serve requests and count them in one variable. `hits++` looks like one step but is three:
 * read the old value, add one, write the new value. When both threads read the same old value, both write
 * the same new one, and a request is never counted. The total is at most what was served, and usually less.
 */
#include <pthread.h>
#include <stdio.h>

#define REQUESTS 100000

static int hits;

static void *serve(void *unused)
{
    (void)unused;
    for (int request = 0; request < REQUESTS; request++)
        hits++; // expect: race/lost-update
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
