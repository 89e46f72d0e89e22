// From a member back to the structure around it, as kernels do.
#include <pthread.h>
#include <stddef.h>

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

struct list { struct list *next; };
struct item { int value; struct list link; };
static struct item item;
static struct list *head = &item.link;

static void *worker(void *unused) {
    struct item *found = container_of(head, struct item, link);
    found->value = 1; // race: item.value
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    item.value = 2; // race: item.value
    pthread_join(one, 0);
    return 0;
}
