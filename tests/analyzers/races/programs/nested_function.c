// GNU C: a function inside a function, used as a thread.
#include <pthread.h>

static int value;

int main(void) {
    void *inner(void *unused) {
        value++; // race: value
        return 0;
    }
    pthread_t one;
    pthread_create(&one, 0, inner, 0);
    value++; // race: value
    pthread_join(one, 0);
    return 0;
}
