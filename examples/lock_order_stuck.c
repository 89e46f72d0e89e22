/* Lock order: two transfers that wait for each other.
 *
 * A transfer locks the account that it takes from, then the account that it gives to. One transfer goes from
 * savings to rent and one from rent to savings, at the same time: each has its first lock and waits for the
 * other's. Nothing crashes and nothing is printed; the program just stops, and only on a busy day.
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
        pthread_mutex_lock(&rent.lock); // expect: race/lock-order
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
        pthread_mutex_lock(&rent.lock);
        pthread_mutex_lock(&savings.lock);
        rent.balance -= 1;
        savings.balance += 1;
        pthread_mutex_unlock(&savings.lock);
        pthread_mutex_unlock(&rent.lock);
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
