/* A bounded queue: a mutex for the data, two condition variables for the waiting.
 *
 * `pthread_cond_wait` gives the lock back while it sleeps and holds it again when it returns, so every access
 * to the queue happens under `lock`. The waits are loops: a thread that wakes up checks again, because another
 * may have been quicker.
 */
#include <pthread.h>
#include <stdio.h>

#define CAPACITY 8
#define ITEMS 10000

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_full;
    pthread_cond_t not_empty;
    int items[CAPACITY];
    int head;
    int count;
};

static struct queue queue = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .not_full = PTHREAD_COND_INITIALIZER,
    .not_empty = PTHREAD_COND_INITIALIZER,
};

static void put(struct queue *q, int item)
{
    pthread_mutex_lock(&q->lock);
    while (q->count == CAPACITY)
        pthread_cond_wait(&q->not_full, &q->lock);
    q->items[(q->head + q->count) % CAPACITY] = item;
    q->count++;
    pthread_cond_signal(&q->not_empty);
    pthread_mutex_unlock(&q->lock);
}

static int take(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    while (q->count == 0)
        pthread_cond_wait(&q->not_empty, &q->lock);
    int item = q->items[q->head];
    q->head = (q->head + 1) % CAPACITY;
    q->count--;
    pthread_cond_signal(&q->not_full);
    pthread_mutex_unlock(&q->lock);
    return item;
}

static void *produce(void *unused)
{
    (void)unused;
    for (int item = 1; item <= ITEMS; item++)
        put(&queue, item);
    return NULL;
}

static void *consume(void *sum)
{
    long so_far = 0;
    for (int item = 1; item <= ITEMS; item++)
        so_far += take(&queue);
    *(long *)sum = so_far;
    return NULL;
}

int main(void)
{
    pthread_t producer, consumer;
    long sum = 0;

    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, &sum);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    printf("the items add up to %ld\n", sum);
    return 0;
}
