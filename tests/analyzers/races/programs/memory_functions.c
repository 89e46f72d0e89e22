// Library functions read and write the objects behind their arguments.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char buffer[64], source[64], text[64], name[16], quiet[16];
static struct { int a, b; } block;

static void *worker(void *unused) {
    memset(buffer, 0, sizeof buffer); // race
    memcpy(name, source, 16); // race
    strcpy(text, "new"); // race
    memset(&block, 0, sizeof block); // race
    snprintf(quiet, sizeof quiet, "%s", source);
    return 0;
}

int main(void) {
    pthread_t one;
    strcpy(source, "before any thread");
    pthread_create(&one, 0, worker, 0);
    buffer[3] = 1; // race
    printf("%s\n", text); // race
    size_t length = strlen(name); // race
    block.b = 1; // race
    strcmp(source, "reading together is fine");
    pthread_join(one, 0);
    puts(quiet);
    return (int)length;
}
