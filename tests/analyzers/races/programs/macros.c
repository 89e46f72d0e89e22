// Macros around everything: locks, accesses, function bodies, names.
#include <pthread.h>

#define LOCK(m) do { if (pthread_mutex_lock(&(m))) abort(); } while (0)
#define UNLOCK(m) pthread_mutex_unlock(&m)
#define WITH(m, code) LOCK(m); code; UNLOCK(m)
#define COUNTER(name) static int name##_count
#define BUMP(name) (name##_count++)
#define SPAWN(t, f) pthread_create(&(t), 0, f, 0)
#define THREAD(name) static void *name(void *unused)
#define NOTHING

extern void abort(void);
static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;
COUNTER(good);
COUNTER(bad);

THREAD(worker) {
    WITH(big, BUMP(good));
    BUMP(bad); // race: bad_count
    NOTHING;
    return 0;
}

int main(void) {
    pthread_t one, two;
    SPAWN(one, worker);
    SPAWN(two, worker);
    WITH(big, good_count = 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
