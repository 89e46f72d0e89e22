// An element and the next one: always upwards.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t locks[8];

static void *first(void *unused) {
    int at = rand() % 7;
    pthread_mutex_lock(&locks[at]);
    pthread_mutex_lock(&locks[at + 1]);
    pthread_mutex_unlock(&locks[at + 1]);
    pthread_mutex_unlock(&locks[at]);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, first, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
