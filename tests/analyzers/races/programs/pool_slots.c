/* A pool of slots: whoever sets a slot's flag in an atomic section has the slot until the flag is cleared. */
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static void assume(int condition) { if (!condition) abort(); }

struct slot { int id; int value; };
static struct slot slots[4];
static int used[4];
static int seen;

static struct slot *obtain(void)
{
    __VERIFIER_atomic_begin();
    int i = __VERIFIER_nondet_int();
    assume(0 <= i && i < 4);
    assume(!used[i]);
    used[i] = 1;
    __VERIFIER_atomic_end();
    return &slots[i];
}

static void give_back(struct slot *slot)
{
    __VERIFIER_atomic_begin();
    int i = __VERIFIER_nondet_int();
    assume(0 <= i && i < 4);
    assume(&slots[i] == slot);
    used[i] = 0;
    __VERIFIER_atomic_end();
}

static void *work(void *unused)
{
    struct slot *slot = obtain();
    slot->id = 1; // safe
    slot->value = slot->id; // safe
    seen = 1; // race
    give_back(slot);
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&other, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
