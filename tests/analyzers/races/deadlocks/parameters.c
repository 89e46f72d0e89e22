// A function takes its two parameters' locks, which the callers give in either order.
#include <pthread.h>

struct account { pthread_mutex_t lock; long balance; };
static struct account x = { PTHREAD_MUTEX_INITIALIZER, 9 };
static struct account y = { PTHREAD_MUTEX_INITIALIZER, 9 };

static void transfer(struct account *from, struct account *to) {
    pthread_mutex_lock(&from->lock); // held
    pthread_mutex_lock(&to->lock); // order
    from->balance--;
    to->balance++;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *first(void *unused) {
    transfer(&x, &y);
    return unused;
}

static void *second(void *unused) {
    transfer(&y, &x);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
