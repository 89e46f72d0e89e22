/* What a thread takes out of a guarded list is its own; what it gives back, or only looks at, is not. */
#include <pthread.h>
#include <stdlib.h>

struct node { int value, late; struct node *next; };

static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(struct node *node)
{
    pthread_mutex_lock(&lock);
    node->next = head;
    head = node;
    pthread_mutex_unlock(&lock);
    node->late = 1; // race: node->late
}

static void *work(void *unused)
{
    struct node *mine;

    pthread_mutex_lock(&lock);
    mine = head;
    if (mine)
        head = mine->next;
    pthread_mutex_unlock(&lock);
    if (mine) {
        mine->value++;
        mine->late = 2; // race: node->late
    }
    return unused;
}

int main(void)
{
    pthread_t one, other;

    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    put(malloc(sizeof *head));
    put(malloc(sizeof *head));
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
