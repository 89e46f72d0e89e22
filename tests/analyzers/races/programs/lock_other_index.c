// The lock of one element does not guard another one.
#include <pthread.h>

struct account { pthread_mutex_t lock; int balance; };
static struct account accounts[10];
extern int pick(void);

static void *worker(void *unused) {
    int from = pick(), to = pick();
    pthread_mutex_lock(&accounts[from].lock);
    accounts[to].balance += 1; // race
    pthread_mutex_unlock(&accounts[from].lock);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
