// Writing under the read lock races with another reader that writes, not with a real writer.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int level;

static void *careless(void *unused) {
    pthread_rwlock_rdlock(&lock);
    level = 1; // race
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, careless, 0);
    pthread_rwlock_rdlock(&lock);
    int seen = level; // race
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    level = 2;
    pthread_rwlock_unlock(&lock);
    pthread_join(one, 0);
    return seen;
}
