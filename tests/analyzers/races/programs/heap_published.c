// A heap object may be filled before it is published; afterwards others see it.
#include <pthread.h>
#include <stdlib.h>

struct message { int kind, size; };
static struct message *current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *unused) {
    pthread_mutex_lock(&lock);
    struct message *seen = current;
    pthread_mutex_unlock(&lock);
    if (seen)
        return seen->kind + seen->size ? seen : 0; // race
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, reader, 0);
    struct message *made = malloc(sizeof *made);
    made->kind = 1;
    made->size = 1;
    pthread_mutex_lock(&lock);
    current = made;
    pthread_mutex_unlock(&lock);
    made->size = 2; // race
    pthread_join(one, 0);
    return 0;
}
