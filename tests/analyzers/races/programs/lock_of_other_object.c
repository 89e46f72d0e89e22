// Two objects of one type: holding the lock of the one while changing the other.
#include <pthread.h>

struct counter { pthread_mutex_t lock; int value; };
static struct counter first, second;

static void move(struct counter *from, struct counter *to) {
    pthread_mutex_lock(&from->lock);
    from->value--; // race
    to->value++; // race
    pthread_mutex_unlock(&from->lock);
}

static void *forth(void *unused) {
    move(&first, &second);
    return 0;
}

static void *back(void *unused) {
    move(&second, &first);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, forth, 0);
    pthread_create(&two, 0, back, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
