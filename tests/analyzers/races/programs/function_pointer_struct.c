// Operations in a structure of function pointers: only what the structure holds is called.
#include <pthread.h>

struct operations { void (*change)(int *); void (*keep)(int *); };

static int value, unused_value;

static void change(int *where) { ++*where; } // race
static void keep(int *where) { (void)where; }
static void never(int *where) { unused_value = *where; }

static const struct operations operations = {.change = change, .keep = keep};
void (*other)(int *) = never;

static void *worker(void *argument) {
    const struct operations *with = argument;
    with->keep(&value);
    with->change(&value);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, (void *)&operations);
    pthread_create(&two, 0, worker, (void *)&operations);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
