// A list that is changed under a lock and walked once with it and once without.
#include <pthread.h>
#include <stdlib.h>

struct node { int value; struct node *next; };
static struct node *guarded, *bare;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct node *made(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    return node;
}

static void push(void) {
    struct node *one = made(1), *other = made(2);
    pthread_mutex_lock(&lock);
    one->next = guarded;
    guarded = one;
    other->next = bare;
    bare = other; // race: bare
    pthread_mutex_unlock(&lock);
}

static int sum(void) {
    int total = 0;
    pthread_mutex_lock(&lock);
    for (struct node *node = guarded; node; node = node->next)
        total += node->value;
    pthread_mutex_unlock(&lock);
    if (bare) // race: bare
        total++;
    return total;
}

static void *worker(void *unused) {
    push();
    return sum() ? unused : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    push();
    pthread_join(one, 0);
    pthread_join(two, 0);
    return sum();
}
