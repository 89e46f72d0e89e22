// Two elements of an array, chosen without any order.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t locks[8];

static void *first(void *unused) {
    int from = rand() % 8, to = rand() % 8;
    if (from == to)
        return unused;
    pthread_mutex_lock(&locks[from]); // held
    pthread_mutex_lock(&locks[to]); // order
    pthread_mutex_unlock(&locks[to]);
    pthread_mutex_unlock(&locks[from]);
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
