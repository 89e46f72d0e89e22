// A table of functions, called by an index that is not known: any of them may run.
#include <pthread.h>

static int up_count, down_count, spare;
extern int choose(void);

static void up(void) { up_count++; } // race: up_count
static void down(void) { down_count++; } // race: down_count
static void idle(void) { spare++; }

static void (*const table[])(void) = {up, down};

static void *worker(void *unused) {
    table[choose()]();
    return 0;
}

int main(void) {
    pthread_t one, two;
    idle();
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
