// The result of a try-lock decides: checked, inverted, kept in a variable, or ignored.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int checked, inverted, kept, ignored, failed;

static void *worker(void *unused) {
    if (pthread_mutex_trylock(&lock) == 0) {
        checked++;
        pthread_mutex_unlock(&lock);
    }
    if (!pthread_mutex_trylock(&lock)) {
        inverted++;
        pthread_mutex_unlock(&lock);
    }
    int result = pthread_mutex_trylock(&lock);
    if (result != 0)
        return 0;
    kept++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_trylock(&lock);
    ignored++; // race: ignored
    pthread_mutex_unlock(&lock);
    if (pthread_mutex_trylock(&lock))
        failed++; // race: failed
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
