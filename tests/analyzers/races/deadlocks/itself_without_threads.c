// A lock that its holder takes again stops a program with one thread too.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(int count, char **arguments) {
    pthread_mutex_lock(&lock); // held
    if (count > 1)
        pthread_mutex_lock(&lock); // self
    pthread_mutex_unlock(&lock);
    return 0;
}
