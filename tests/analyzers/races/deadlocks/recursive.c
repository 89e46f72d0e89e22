// A recursive lock is taken again by its holder.
#include <pthread.h>

static pthread_mutex_t lock;
static int total;

static void add(int amount) {
    pthread_mutex_lock(&lock);
    total += amount;
    if (amount > 1) {
        pthread_mutex_lock(&lock);
        total--;
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused) {
    add(2);
    return unused;
}

int main(void) {
    pthread_t one;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);
    pthread_create(&one, 0, worker, 0);
    add(1);
    pthread_join(one, 0);
    return 0;
}
