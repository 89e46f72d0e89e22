// A ring of pointers under one lock with two conditions; what goes through it belongs to who took it out.
#include <pthread.h>
#include <stdlib.h>

#define SIZE 8
struct queue {
    void *items[SIZE];
    int head, tail, count, peeks;
    pthread_mutex_t lock;
    pthread_cond_t filled, emptied;
};

static void put(struct queue *queue, void *item) {
    pthread_mutex_lock(&queue->lock);
    while (queue->count == SIZE)
        pthread_cond_wait(&queue->emptied, &queue->lock);
    queue->items[queue->tail] = item;
    queue->tail = (queue->tail + 1) % SIZE;
    queue->count++;
    pthread_cond_signal(&queue->filled);
    pthread_mutex_unlock(&queue->lock);
    queue->peeks++; // race
}

static void *get(struct queue *queue) {
    pthread_mutex_lock(&queue->lock);
    while (!queue->count)
        pthread_cond_wait(&queue->filled, &queue->lock);
    void *item = queue->items[queue->head];
    queue->head = (queue->head + 1) % SIZE;
    queue->count--;
    queue->peeks--; // race
    pthread_cond_signal(&queue->emptied);
    pthread_mutex_unlock(&queue->lock);
    return item;
}

static void *producer(void *argument) {
    for (int i = 0; i < 100; i++)
        put(argument, malloc(sizeof(int)));
    put(argument, NULL);
    return NULL;
}

static void *consumer(void *argument) {
    void *item;
    while ((item = get(argument)) != NULL)
        free(item);
    return NULL;
}

int main(void) {
    struct queue *queue = calloc(1, sizeof *queue);
    pthread_t one, two;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_create(&one, NULL, producer, queue);
    pthread_create(&two, NULL, consumer, queue);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    free(queue);
    return 0;
}
