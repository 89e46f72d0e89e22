/* Lists are swept under the lock, with a store to whichever entry the loop stands on; where they grow is not guarded. */
#include <pthread.h>
#include <stdlib.h>

struct entry {
    long value;
    struct entry *next;
};

static struct {
    pthread_mutex_t lock;
    struct entry *buckets[64];
} table = {PTHREAD_MUTEX_INITIALIZER};

static void insert(int key, long value)
{
    struct entry *entry = malloc(sizeof(*entry));

    if (entry == NULL)
        return;
    entry->next = table.buckets[key % 64]; // race
    table.buckets[key % 64] = entry; // race
    entry->value = value; // race
}

static void sweep(long threshold)
{
    pthread_mutex_lock(&table.lock);
    for (int bucket = 0; bucket < 64; bucket++) {
        struct entry *entry = table.buckets[bucket]; // race
        while (entry != NULL) {
            if (entry->value < threshold) // race
                entry->value = 0; // race
            entry = entry->next;
        }
    }
    pthread_mutex_unlock(&table.lock);
}

static void *work(void *argument)
{
    int rounds = *(int *)argument;

    for (int round = 0; round < rounds; round++) {
        insert(round, round + 3);
        sweep(round);
    }
    return NULL;
}

int main(void)
{
    pthread_t one, other;
    int rounds = 100;

    pthread_create(&one, NULL, work, &rounds);
    pthread_create(&other, NULL, work, &rounds);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
