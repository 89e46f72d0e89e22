// The same name in nested scopes means different things; a declaration may hide a global.
#include <pthread.h>

static int value;

static void *worker(void *unused) {
    int value = 1;
    {
        extern int other;
        int value = 2;
        value++;
    }
    value++;
    for (int value = 0; value < 3; value++)
        ;
    {
        struct value { int value; } local = {1};
        local.value++;
    }
    return value ? unused : 0;
}

static void *other_worker(void *unused) {
    value++; // race: value
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, other_worker, 0);
    value = 2; // race: value
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
