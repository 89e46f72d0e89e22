/* A memory function that gets the start of an allocation works on all of it. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *buffer;

static void *clear(void *unused)
{
    memset(buffer, 0, 100); // race
    return unused;
}

int main(void)
{
    pthread_t cleaner;

    buffer = malloc(100);
    pthread_create(&cleaner, 0, clear, 0);
    buffer[7] = 1; // race
    pthread_join(cleaner, 0);
    return 0;
}
