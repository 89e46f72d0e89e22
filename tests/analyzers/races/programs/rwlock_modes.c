// A read lock lets other readers in, so writing under it races; a write lock keeps everybody out.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int config, reads;

static void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    int seen = config;
    reads++; // race: reads
    pthread_rwlock_unlock(&lock);
    return seen ? unused : 0;
}

static void *writer(void *unused) {
    pthread_rwlock_wrlock(&lock);
    config++;
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, 0, reader, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_create(&three, 0, writer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return reads;
}
