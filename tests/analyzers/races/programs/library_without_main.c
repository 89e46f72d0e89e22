// A library: whoever calls it may start the thread first and then call the other functions.
#include <pthread.h>

static int state, settings, hidden;
static pthread_t thread;

static void *background(void *unused) {
    state++; // race: state
    return settings ? unused : 0;
}

static void helper(void) { hidden++; }

int library_start(void) {
    settings = 1;
    return pthread_create(&thread, 0, background, 0);
}

int library_get(void) {
    helper();
    return state; // race: state
}

void library_stop(void) { pthread_join(thread, 0); }
