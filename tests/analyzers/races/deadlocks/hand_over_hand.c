// Hand over hand: each node's lock guards that node while the list is walked.
#include <pthread.h>

struct node { pthread_mutex_t lock; int value; struct node *next; };
static struct node head;

static void *worker(void *unused) {
    struct node *at = &head;
    pthread_mutex_lock(&at->lock);
    while (at->next) {
        struct node *next = at->next;
        pthread_mutex_lock(&next->lock);
        at->value++;
        pthread_mutex_unlock(&at->lock);
        at = next;
    }
    at->value++;
    pthread_mutex_unlock(&at->lock);
    return 0;
}

int main(void) {
    pthread_t one, two;
    static struct node tail;
    head.next = &tail;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
