// Two threads one after the other; a third beside the second.
#include <pthread.h>

static int early, late;

static void *first(void *unused) { early = 1; late = 1; return 0; }
static void *second(void *unused) { early = 2; late = 2; return 0; } // race: late
static void *third(void *unused) { late = 3; return 0; } // race: late

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, 0, first, 0);
    pthread_join(one, 0);
    pthread_create(&two, 0, second, 0);
    pthread_create(&three, 0, third, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return early + late;
}
