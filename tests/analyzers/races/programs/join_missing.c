// Nobody waits for the thread before its result is used.
#include <pthread.h>

static int answer;

static void *worker(void *unused) {
    answer = 42; // race
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    return answer; // race
}
