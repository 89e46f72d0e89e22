// A function that tries and tells its caller in its own words.
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value, wrong;

static bool try_enter(void) {
    int error = pthread_mutex_trylock(&lock);
    return error == 0;
}

static bool try_fails(void) {
    if (pthread_mutex_trylock(&lock))
        return true;
    return false;
}

static void *worker(void *unused) {
    if (try_enter()) {
        value++;
        pthread_mutex_unlock(&lock);
    }
    if (!try_fails()) {
        value--;
        pthread_mutex_unlock(&lock);
    } else {
        wrong++; // race: wrong
    }
    return 0;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_create(&three, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
