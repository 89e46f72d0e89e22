// Each side holds a lock, but not the same one.
#include <pthread.h>

int balance;
pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *deposit(void *unused) {
    pthread_mutex_lock(&first);
    balance = balance + 1; // race: balance
    pthread_mutex_unlock(&first);
    return 0;
}

static void *withdraw(void *unused) {
    pthread_mutex_lock(&second);
    balance = balance - 1; // race: balance
    pthread_mutex_unlock(&second);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, deposit, 0);
    pthread_create(&two, 0, withdraw, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return balance;
}
