// An anonymous union in a structure: its members share their bytes, the other fields do not.
#include <pthread.h>

struct value {
    int kind;
    union { long whole; double real; };
};
static struct value value = {1, {2}};

static void *worker(void *unused) {
    value.whole = 1; // race
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    value.kind = 1;
    value.real = 2; // race
    pthread_join(one, 0);
    return 0;
}
