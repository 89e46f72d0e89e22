// Designated initialisers, positional ones behind them, nested and of arrays: which function and place they name.
#include <pthread.h>

struct handler { int *target; void *(*run)(void *); };
static int first, second, third;

static void *one_thread(void *argument) {
    struct handler *h = argument;
    *h->target = 1; // race: second
    return 0;
}

static void *never(void *argument) { third++; return argument; }

static struct handler handlers[] = {
    [1] = {.run = one_thread, .target = &second},
    {&third, never},
    [0] = {&first, one_thread},
};
static struct { struct handler inner; int tail; } outer = {.inner.run = one_thread, .inner.target = &second, .tail = 4};

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, handlers[1].run, &handlers[1]);
    pthread_create(&two, 0, outer.inner.run, &outer.inner);
    first = 2;
    third = 2;
    second = 2; // race: second
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
