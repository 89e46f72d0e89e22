// The value of a switch is known where the function is called, so only one case runs.
#include <pthread.h>

enum action { READ, WRITE };
static int value;

static int act(enum action what) {
    switch (what) {
    case READ:
        return value;
    case WRITE:
        value = 1;
        return 1;
    }
    return 0;
}

static void *reader(void *unused) {
    return act(READ) ? unused : 0;
}

int main(void) {
    pthread_t one, two;
    act(WRITE);
    pthread_create(&one, 0, reader, 0);
    pthread_create(&two, 0, reader, 0);
    act(READ);
    pthread_join(one, 0);
    pthread_join(two, 0);
    act(WRITE);
    return 0;
}
