/* Each thread gets the object that was made for it, also where some objects are given up before. */
#include <pthread.h>
#include <stdlib.h>

struct client { int number; };

extern int next_number(void);
static int served;

static void *serve(void *argument)
{
    struct client *client = argument;

    served += client->number; // race: served
    client->number = 0;
    free(client);
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t thread;
        struct client *client = malloc(sizeof *client);

        client->number = next_number();
        if (client->number < 0) {
            free(client);
            continue;
        }
        pthread_create(&thread, 0, serve, client);
        pthread_detach(thread);
    }
}
