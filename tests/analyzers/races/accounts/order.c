// Accesses that create and join, a latch or an own object keep apart are told with that reason.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;       // lens: accesses of different threads come one after the other
static int ready;      // lens: guarded by lock
static int result;     // lens: accesses of different threads come one after the other
static int later;      // lens: accesses of different threads come one after the other

static void *producer(void *unused)
{
    data = 1;          // data: ordered: before `ready` announces
    pthread_mutex_lock(&lock);
    ready = 1;         // ready: locked: both hold `lock`
    pthread_mutex_unlock(&lock);
    result = 2;        // result: ordered: `producer`, started on line 40, is joined first, on line 43
    return unused;
}

static void *consumer(void *unused)
{
    int seen = 0;
    int *copy = malloc(sizeof *copy);
    while (!seen) {
        pthread_mutex_lock(&lock);
        seen = ready;  // ready: locked: both hold `lock`
        pthread_mutex_unlock(&lock);
    }
    *copy = data;      // data: ordered: before `ready` announces
    if (*copy)
        later++;       // later: ordered: `consumer`, started on line 42, is not started yet
    free(copy);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, producer, NULL);
    later = 1;         // later: ordered: `consumer`, started on line 42, is not started yet
    pthread_create(&second, NULL, consumer, NULL);
    pthread_join(first, NULL);
    result++;          // result: ordered: `producer`, started on line 40, is joined first, on line 43
    pthread_join(second, NULL);
    return 0;
}
