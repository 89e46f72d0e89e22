/* Two locks and a flag: the owner changes the buffer only under both facts, whichever lock the other holds. */
#include <pthread.h>

int buffer;
int lent;
int borrower;
pthread_mutex_t borrowing;
pthread_mutex_t lending;

void *borrow(void *unused)
{
    pthread_mutex_lock(&borrowing);
    if (borrower == 0) {
        pthread_mutex_lock(&lending);
        lent = 1;
        pthread_mutex_unlock(&lending);
        borrower = 1;
    }
    buffer = 1; // safe: whoever sees that it is lent does not touch it
    pthread_mutex_unlock(&borrowing);
    return unused;
}

void *reclaim(void *unused)
{
    pthread_mutex_lock(&lending);
    if (lent == 0)
        buffer = 0; // safe
    pthread_mutex_unlock(&lending);
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_mutex_init(&borrowing, NULL);
    pthread_mutex_init(&lending, NULL);
    pthread_create(&one, NULL, borrow, NULL);
    pthread_create(&other, NULL, reclaim, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
