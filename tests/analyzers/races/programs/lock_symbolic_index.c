// The lock of an element guards that element, whatever the index is.
#include <pthread.h>

struct account { pthread_mutex_t lock; int balance; };
static struct account accounts[10];
extern int pick(void);

static void *worker(void *unused) {
    int which = pick();
    pthread_mutex_lock(&accounts[which].lock);
    accounts[which].balance += 1;
    pthread_mutex_unlock(&accounts[which].lock);
    return 0;
}

int main(void) {
    pthread_t one, two;
    for (int i = 0; i < 10; i++)
        pthread_mutex_init(&accounts[i].lock, 0);
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
