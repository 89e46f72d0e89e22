// The handle is a field of what the thread works on.
#include <pthread.h>
#include <stdlib.h>

struct task { pthread_t thread; int result; };

static void *run(void *argument) {
    struct task *task = argument;
    task->result = 1;
    return 0;
}

static struct task *launch(void) {
    struct task *task = calloc(1, sizeof *task);
    pthread_create(&task->thread, 0, run, task);
    return task;
}

int main(void) {
    struct task *task = launch();
    pthread_join(task->thread, 0);
    int result = task->result;
    free(task);
    return result;
}
