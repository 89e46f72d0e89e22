// Fields of an anonymous structure belong to the structure around it.
#include <pthread.h>

struct event {
    int kind;
    struct { int x, y; };
};
static struct event event;

static void *worker(void *unused) {
    event.x = 1;
    event.y = 1; // race: event.y
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    event.kind = 1;
    event.y = 2; // race: event.y
    pthread_join(one, 0);
    return 0;
}
