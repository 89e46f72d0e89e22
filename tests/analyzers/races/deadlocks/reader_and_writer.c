// A writer waits for a reader, and the reader for the writer.
#include <pthread.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t b = PTHREAD_RWLOCK_INITIALIZER;

static void *first(void *unused) {
    pthread_rwlock_rdlock(&a); // held
    pthread_rwlock_rdlock(&b); // order
    pthread_rwlock_unlock(&b);
    pthread_rwlock_unlock(&a);
    return unused;
}

static void *second(void *unused) {
    pthread_rwlock_wrlock(&b); // held
    pthread_rwlock_wrlock(&a); // order
    pthread_rwlock_unlock(&a);
    pthread_rwlock_unlock(&b);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
