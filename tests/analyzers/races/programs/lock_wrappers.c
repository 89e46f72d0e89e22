// Functions of the program that lock and unlock.
#include <pthread.h>

struct queue { pthread_mutex_t lock; int length; };
static struct queue queue;

static void enter(struct queue *q) { pthread_mutex_lock(&q->lock); }
static void leave(struct queue *q) { pthread_mutex_unlock(&q->lock); }

static void *worker(void *argument) {
    struct queue *q = argument;
    enter(q);
    q->length++; // race
    leave(q);
    q->length--; // race
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_mutex_init(&queue.lock, 0);
    pthread_create(&one, 0, worker, &queue);
    pthread_create(&two, 0, worker, &queue);
    enter(&queue);
    queue.length = 0; // race
    leave(&queue);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
