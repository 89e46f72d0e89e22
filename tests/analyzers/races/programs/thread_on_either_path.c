// A thread that one of two paths starts before taking a lock, the other after: it runs beside the update on both.
#include <pthread.h>
#include <stdlib.h>

long balance;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_t early, late;

void *deposit(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    balance++; // race: balance
    return NULL;
}

int main(int argc, char **argv) {
    if (argc > 1) {
        pthread_create(&early, NULL, deposit, NULL);
        pthread_mutex_lock(&lock);
    } else {
        pthread_mutex_lock(&lock);
        pthread_create(&late, NULL, deposit, NULL);
    }
    balance++; // race: balance
    pthread_mutex_unlock(&lock);
    return 0;
}
