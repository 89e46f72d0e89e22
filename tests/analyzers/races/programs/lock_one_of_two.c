// A pointer to one lock or the other guards nothing; a lock that both sides hold beside others does.
#include <pthread.h>

static pthread_mutex_t first, second, third;
static int value, common;
extern int choose(void);

static void *one_side(void *unused) {
    pthread_mutex_t *chosen = choose() ? &first : &second;
    pthread_mutex_lock(chosen);
    value++; // race: value
    pthread_mutex_unlock(chosen);
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    common++;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return 0;
}

static void *other_side(void *unused) {
    pthread_mutex_lock(&second);
    value++; // race: value
    pthread_mutex_unlock(&second);
    pthread_mutex_lock(&third);
    pthread_mutex_lock(&second);
    common++;
    pthread_mutex_unlock(&third);
    pthread_mutex_unlock(&second);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, one_side, 0);
    pthread_create(&two, 0, other_side, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
