// Reads and writes hide in conditions, increments, commas, conditional operators and arguments.
#include <pthread.h>

static int a, b, c, d, e, f;
extern void use(int, int);

static void *worker(void *unused) {
    c = b = a = d = 1; // race
    e = f = 1; // race
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    if (a > 1 || (b && 1)) // race
        use(
            c, // race
            0);
    int x = 1 ? d : 0; // race
    for (; e; ) // race
        break;
    x = (f, 1) + x; // race
    pthread_join(one, 0);
    return x;
}
