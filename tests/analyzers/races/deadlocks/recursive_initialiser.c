// Locks whose initialiser makes them recursive, alone and in a structure.
#include <pthread.h>

static pthread_mutex_t alone = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct { int used; pthread_mutex_t lock; } inside = { 1, PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP };

int main(void) {
    pthread_mutex_lock(&alone);
    pthread_mutex_lock(&alone);
    pthread_mutex_unlock(&alone);
    pthread_mutex_unlock(&alone);
    pthread_mutex_lock(&inside.lock);
    pthread_mutex_lock(&inside.lock);
    pthread_mutex_unlock(&inside.lock);
    return 0;
}
