/* The account again, with the lock in the account.
 *
 * The lock stands beside the data it guards, so there is one place to look for it, and both functions take
 * the same one.
 */
#include <pthread.h>
#include <stdio.h>

#define ROUNDS 100000

struct account {
    pthread_mutex_t lock;
    long balance;
};

static struct account account = {PTHREAD_MUTEX_INITIALIZER, 1000};

static void *deposit(void *unused)
{
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&account.lock);
        account.balance += 10;
        pthread_mutex_unlock(&account.lock);
    }
    return NULL;
}

static void *withdraw(void *unused)
{
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&account.lock);
        account.balance -= 10;
        pthread_mutex_unlock(&account.lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t payer, spender;

    pthread_create(&payer, NULL, deposit, NULL);
    pthread_create(&spender, NULL, withdraw, NULL);
    pthread_join(payer, NULL);
    pthread_join(spender, NULL);
    printf("the balance should be 1000 and is %ld\n", account.balance);
    return 0;
}
