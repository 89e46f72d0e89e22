/* Last writer wins: one error code for everybody.
 *
 * Both threads report how they ended in the same variable. Whichever comes last overwrites the other, so a
 * failure can be hidden by a success, and which of them is reported changes from run to run.
 */
#include <pthread.h>
#include <stdio.h>

enum outcome { RUNNING, SAVED, DISK_FULL };

static enum outcome last_outcome = RUNNING;

static void *save_settings(void *unused)
{
    (void)unused;
    last_outcome = SAVED; // expect: race/write-write
    return NULL;
}

static void *save_document(void *unused)
{
    (void)unused;
    last_outcome = DISK_FULL;
    return NULL;
}

int main(void)
{
    pthread_t settings, document;

    pthread_create(&settings, NULL, save_settings, NULL);
    pthread_create(&document, NULL, save_document, NULL);
    pthread_join(settings, NULL);
    pthread_join(document, NULL);
    puts(last_outcome == DISK_FULL ? "the disk is full" : "everything is saved");
    return 0;
}
