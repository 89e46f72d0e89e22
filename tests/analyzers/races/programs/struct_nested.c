// Nested structures: the whole path of fields tells places apart.
#include <pthread.h>

struct point { int x, y; };
struct box { struct point low, high; };
static struct box box;

static void *worker(void *unused) {
    struct point *corner = &box.high;
    box.low.x = 1;
    corner->x = 1; // race: box.high.x
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    box.low.y = 2;
    box.high.y = 2;
    box.high.x = 2; // race: box.high.x
    pthread_join(one, 0);
    return box.low.x;
}
