// A file that was preprocessed already, with line markers of the compiler:
# 1 "prog.c"
# 1 "<built-in>" 1
# 1 "/usr/include/pthread.h" 1 3 4
typedef unsigned long int pthread_t;
typedef union
{
  char __size[56];
  long int __align;
} pthread_attr_t;
typedef union
{
  struct { int __lock; unsigned int __count; } __data;
  char __size[40];
  long int __align;
} pthread_mutex_t;
extern int pthread_create (pthread_t *__restrict __newthread,
      const pthread_attr_t *__restrict __attr,
      void *(*__start_routine) (void *),
      void *__restrict __arg) __attribute__ ((__nothrow__)) __attribute__ ((__nonnull__ (1, 3)));
extern int pthread_join (pthread_t __th, void **__thread_return);
extern int pthread_mutex_lock (pthread_mutex_t *__mutex) __attribute__ ((__nothrow__ , __leaf__));
extern int pthread_mutex_unlock (pthread_mutex_t *__mutex) __attribute__ ((__nothrow__ , __leaf__));
# 3 "prog.c" 2

static int value, guarded;
static pthread_mutex_t lock = { { 0, 0 } };
static void *worker(void *unused) {
    value++; // race: value
    pthread_mutex_lock(&lock);
    guarded++;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    value = 2; // race: value
    pthread_mutex_lock(&lock);
    guarded = 2;
    pthread_mutex_unlock(&lock);
    pthread_join(one, 0);
    return 0;
}
