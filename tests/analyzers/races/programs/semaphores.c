/* Semaphores: one that starts with 1 is a lock, two that hand one token on are a lock, one that is posted once orders. */
#include <pthread.h>
#include <semaphore.h>

static sem_t mutex, empty, full, ready, many;
static int guarded, handed, published, late, crowded;

static void *first(void *unused)
{
    sem_wait(&mutex);
    guarded++;
    sem_post(&mutex);
    sem_wait(&empty);
    handed = 1;
    sem_post(&full);
    published = 1;
    sem_post(&ready);
    late = 1; // race: late
    sem_wait(&many);
    crowded++; // race: crowded
    sem_post(&many);
    return unused;
}

static void *second(void *unused)
{
    sem_wait(&mutex);
    guarded++;
    sem_post(&mutex);
    sem_wait(&full);
    handed = 2;
    sem_post(&empty);
    sem_wait(&ready);
    published++;
    late++; // race: late
    sem_wait(&many);
    crowded++; // race: crowded
    sem_post(&many);
    return unused;
}

int main(void)
{
    pthread_t one, other;

    sem_init(&mutex, 0, 1);
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
    sem_init(&ready, 0, 0);
    sem_init(&many, 0, 2);
    pthread_create(&one, 0, first, 0);
    pthread_create(&other, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return guarded + handed + published + late + crowded;
}
