// POSIX once: the initialiser runs once and before everybody who asks for it.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table, careless;

static void setup(void) {
    table = 1;
    careless = 1; // race: careless
}

static void *worker(void *unused) {
    int before = careless; // race: careless
    pthread_once(&once, setup);
    return table + before ? unused : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
