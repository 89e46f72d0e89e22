/* Lock order: two transfers that take their locks in one order.
 *
 * Both transfers lock the savings first and the rent second, whichever way the money goes. Whoever has the first
 * lock gets the second as well, since nobody can have the second while waiting for the first. Where the accounts
 * are only known at run time, an order by number or address does the same.
 */
#include <pthread.h>
#include <stdio.h>

#define ROUNDS 100000

struct account {
    pthread_mutex_t lock;
    long balance;
};

static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 1000};
static struct account rent = {PTHREAD_MUTEX_INITIALIZER, 1000};

static void *pay_rent(void *unused)
{
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&savings.lock);
        pthread_mutex_lock(&rent.lock);
        savings.balance -= 1;
        rent.balance += 1;
        pthread_mutex_unlock(&rent.lock);
        pthread_mutex_unlock(&savings.lock);
    }
    return NULL;
}

static void *pay_back(void *unused)
{
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&savings.lock);
        pthread_mutex_lock(&rent.lock);
        rent.balance -= 1;
        savings.balance += 1;
        pthread_mutex_unlock(&rent.lock);
        pthread_mutex_unlock(&savings.lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t tenant, landlord;

    pthread_create(&tenant, NULL, pay_rent, NULL);
    pthread_create(&landlord, NULL, pay_back, NULL);
    pthread_join(tenant, NULL);
    pthread_join(landlord, NULL);
    printf("together the accounts have %ld\n", savings.balance + rent.balance);
    return 0;
}
