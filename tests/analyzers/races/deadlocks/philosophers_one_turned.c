// One of the five takes the right fork first.
#include <pthread.h>

static pthread_mutex_t forks[5];

static void *philosopher(void *argument) {
    long left = (long)argument, right = (left + 1) % 5;
    if (left == 4) {
        pthread_mutex_lock(&forks[right]);
        pthread_mutex_lock(&forks[left]);
    } else {
        pthread_mutex_lock(&forks[left]);
        pthread_mutex_lock(&forks[right]);
    }
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
