// Statement expressions, typeof, attributes, case ranges, labels as the compiler allows them, empty initialisers.
#include <pthread.h>

#define max(a, b) ({ __typeof__(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })
#define unlikely(x) __builtin_expect(!!(x), 0)

static pthread_mutex_t lock __attribute__((aligned(64))) = PTHREAD_MUTEX_INITIALIZER;
static int high, low __attribute__((unused));
struct __attribute__((packed)) pair { int a, b; };
static struct pair pair = {};

static inline __attribute__((always_inline)) void enter(void) { pthread_mutex_lock(&lock); }

static void *worker(void *argument __attribute__((unused))) {
    int seen = max(high, 3); // race: high
    switch (seen) {
    case 0 ... 9:
        enter();
        low++;
        pthread_mutex_unlock(&lock);
        break;
    default:
        pair.a = seen ?: 1; // race: pair.a
    }
    if (unlikely(seen > 4))
        high = ({ pthread_mutex_lock(&lock); int x = seen; pthread_mutex_unlock(&lock); x; }); // race: high
    __extension__ int mine = 0;
    asm volatile("" : "+r"(mine) : : "memory");
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
