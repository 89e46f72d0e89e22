/* A pointer that was only looked up under the lock is shared: the object is still in the list. */
#include <pthread.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    struct node *first;

    pthread_mutex_lock(&lock);
    first = head;
    pthread_mutex_unlock(&lock);
    first->value++; // race: first->value
    return unused;
}

int main(void)
{
    pthread_t one, other;

    head = malloc(sizeof *head);
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
