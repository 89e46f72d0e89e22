// The thread's function comes from a variable.
#include <pthread.h>

static int value, other;

static void *first(void *unused) { value++; return 0; } // race
static void *second(void *unused) { other++; return 0; }

int main(void) {
    void *(*body)(void *) = second;
    pthread_t one, two;
    body = first;
    pthread_create(&one, 0, body, 0);
    pthread_create(&two, 0, body, 0);
    other++;
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
