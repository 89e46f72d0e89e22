// Every account of an access says what came out and why.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int guarded;   // lens: guarded by lock
static int naked;     // lens: not guarded: 1 access races
static int early;     // lens: used only where no other thread can be
static int config;    // lens: written only where no other thread can be, then only read
static int mine;      // lens: one thread uses it while others run
static int often;     // lens: not always guarded by lock: 2 accesses race
static atomic_int hits;          // lens: every access is atomic
static _Thread_local int own;    // lens: each thread has its own

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    guarded++;        // guarded: locked: both hold `lock`
    often++;          // often: races: may still run
    pthread_mutex_unlock(&lock);
    naked++;          // naked: races: run in parallel
    hits++;           // hits: atomic: both are atomic
    own++;            // own: apart: thread-local
    return (void *)(long)config;  // config: read only: nothing writes it
}

int main(void)
{
    pthread_t first, second;
    early = 1;        // early: solo: before any thread is started
    config = 2;       // config: solo: before any thread is started
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    mine++;           // mine: alone: no other thread makes
    pthread_mutex_lock(&lock);
    often++;          // often: locked: both hold `lock`
    pthread_mutex_unlock(&lock);
    pthread_join(first, NULL);
    often = 0;        // often: races: may still run
    pthread_join(second, NULL);
    return guarded;   // guarded: solo: joined by then, on lines 38, 40
}
