// Each of five takes its left fork and then the right one.
#include <pthread.h>

static pthread_mutex_t forks[5];

static void *philosopher(void *argument) {
    long left = (long)argument, right = (left + 1) % 5;
    pthread_mutex_lock(&forks[left]); // held
    pthread_mutex_lock(&forks[right]); // order
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return 0;
}

int main(void) {
    pthread_t threads[5];
    for (long i = 0; i < 5; i++)
        pthread_create(&threads[i], 0, philosopher, (void *)i);
    for (long i = 0; i < 5; i++)
        pthread_join(threads[i], 0);
    return 0;
}
