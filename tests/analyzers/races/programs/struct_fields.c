// Different fields of one structure do not race; the same field does.
#include <pthread.h>

struct state { int left, right, both; };
static struct state state;

static void *one_side(void *unused) {
    state.left++;
    state.both++; // race: state.both
    return 0;
}

static void *other_side(void *unused) {
    state.right++;
    state.both++; // race: state.both
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, one_side, 0);
    pthread_create(&two, 0, other_side, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return state.both;
}
