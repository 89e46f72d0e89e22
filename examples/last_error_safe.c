/* An outcome for each thread.
 *
 * A lock would not help here: the second writer would still overwrite the first. What helps is not to share.
 * Each thread writes where its caller told it to, and the caller looks after the join.
 */
#include <pthread.h>
#include <stdio.h>

enum outcome { RUNNING, SAVED, DISK_FULL };

static void *save_settings(void *outcome)
{
    *(enum outcome *)outcome = SAVED;
    return NULL;
}

static void *save_document(void *outcome)
{
    *(enum outcome *)outcome = DISK_FULL;
    return NULL;
}

int main(void)
{
    pthread_t settings, document;
    enum outcome settings_outcome = RUNNING, document_outcome = RUNNING;

    pthread_create(&settings, NULL, save_settings, &settings_outcome);
    pthread_create(&document, NULL, save_document, &document_outcome);
    pthread_join(settings, NULL);
    pthread_join(document, NULL);
    if (settings_outcome == DISK_FULL || document_outcome == DISK_FULL)
        puts("the disk is full");
    else
        puts("everything is saved");
    return 0;
}
