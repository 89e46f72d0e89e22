// The lock lies in the object that it guards, and the object on the heap.
#include <pthread.h>
#include <stdlib.h>

struct counter { pthread_mutex_t lock; int value; };

static void *worker(void *argument) {
    struct counter *c = argument;
    pthread_mutex_lock(&c->lock);
    c->value++;
    pthread_mutex_unlock(&c->lock);
    return 0;
}

int main(void) {
    pthread_t one, two;
    struct counter *c = malloc(sizeof *c);
    pthread_mutex_init(&c->lock, 0);
    c->value = 0;
    pthread_create(&one, 0, worker, c);
    pthread_create(&two, 0, worker, c);
    pthread_mutex_lock(&c->lock);
    int now = c->value;
    pthread_mutex_unlock(&c->lock);
    pthread_join(one, 0);
    pthread_join(two, 0);
    now += c->value;
    free(c);
    return now;
}
