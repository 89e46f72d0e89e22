/* Wrong lock: two locks guard one account.
 *
 * Whoever wrote `deposit` added a lock for deposits, and whoever wrote `withdraw` added one for withdrawals.
 * Each function excludes itself, and neither excludes the other: a deposit and a withdrawal can both read the
 * same balance, and one of them vanishes. It looks safe in review, because a lock is held at every access.
 */
#include <pthread.h>
#include <stdio.h>

#define ROUNDS 100000

static pthread_mutex_t deposit_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t withdraw_lock = PTHREAD_MUTEX_INITIALIZER;
static long balance = 1000;

static void *deposit(void *unused)
{
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&deposit_lock);
        balance += 10; // expect: race/wrong-lock
        pthread_mutex_unlock(&deposit_lock);
    }
    return NULL;
}

static void *withdraw(void *unused)
{
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&withdraw_lock);
        balance -= 10;
        pthread_mutex_unlock(&withdraw_lock);
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
    printf("the balance should be 1000 and is %ld\n", balance);
    return 0;
}
