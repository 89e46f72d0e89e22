// The generic builtins read and write through further pointers, which are ordinary memory.
#include <pthread.h>

struct word { int low, high; };
static struct word shared, input, output;

static void *worker(void *unused) {
    struct word mine = {1, 2};
    __atomic_store(&shared, &mine, __ATOMIC_SEQ_CST);
    __atomic_load(&shared, &output, __ATOMIC_SEQ_CST); // race: output
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return output.low + input.high;
}
