"""What library functions do, as tables: POSIX threads, C11 threads, kernel locks, memory and string functions.

Sources: POSIX.1-2017 (threads, semaphores), ISO C11 7.17 (atomics), 7.24 (strings), 7.26 (threads), the GCC manual
("Built-in Functions for Memory Model Aware Atomic Operations", "Legacy __sync"), the SV-COMP rules
(``__VERIFIER_atomic_*``) and the Linux kernel's locking documentation.
"""

from assay.analyzers.races.ir import Mode

EXCLUSIVE, SHARED = Mode.EXCLUSIVE, Mode.SHARED

# Results that say why an attempt failed (Linux's errno.h, glibc's threads.h).
EBUSY, ETIMEDOUT, THRD_BUSY = 16, 110, 1

# The first argument of these points to the lock.
ACQUIRE: dict[str, Mode] = {
    "pthread_mutex_lock": EXCLUSIVE,
    "pthread_spin_lock": EXCLUSIVE,
    "pthread_rwlock_wrlock": EXCLUSIVE,
    "pthread_rwlock_rdlock": SHARED,
    "mtx_lock": EXCLUSIVE,
    "mutex_lock": EXCLUSIVE,
    "mutex_lock_interruptible": EXCLUSIVE,
    "mutex_lock_nested": EXCLUSIVE,
    "mutex_lock_killable": EXCLUSIVE,
    "spin_lock": EXCLUSIVE,
    "spin_lock_irq": EXCLUSIVE,
    "spin_lock_bh": EXCLUSIVE,
    "spin_lock_irqsave": EXCLUSIVE,
    "_raw_spin_lock": EXCLUSIVE,
    "read_lock": SHARED,
    "write_lock": EXCLUSIVE,
    "down_read": SHARED,
    "down_write": EXCLUSIVE,
}

RELEASE = frozenset(
    """pthread_mutex_unlock pthread_spin_unlock pthread_rwlock_unlock mtx_unlock mutex_unlock spin_unlock
    spin_unlock_irq spin_unlock_bh spin_unlock_irqrestore _raw_spin_unlock read_unlock write_unlock up_read
    up_write""".split()
)

# name -> (mode, result when the lock was taken, result when it was not)
TRY_ACQUIRE: dict[str, tuple[Mode, int, int]] = {
    "pthread_mutex_trylock": (EXCLUSIVE, 0, EBUSY),
    "pthread_mutex_timedlock": (EXCLUSIVE, 0, ETIMEDOUT),
    "pthread_mutex_clocklock": (EXCLUSIVE, 0, ETIMEDOUT),
    "pthread_spin_trylock": (EXCLUSIVE, 0, EBUSY),
    "pthread_rwlock_trywrlock": (EXCLUSIVE, 0, EBUSY),
    "pthread_rwlock_timedwrlock": (EXCLUSIVE, 0, ETIMEDOUT),
    "pthread_rwlock_tryrdlock": (SHARED, 0, EBUSY),
    "pthread_rwlock_timedrdlock": (SHARED, 0, ETIMEDOUT),
    "mtx_trylock": (EXCLUSIVE, 0, THRD_BUSY),
    "mtx_timedlock": (EXCLUSIVE, 0, THRD_BUSY),
    "mutex_trylock": (EXCLUSIVE, 1, 0),
    "spin_trylock": (EXCLUSIVE, 1, 0),
    "down_read_trylock": (SHARED, 1, 0),
    "down_write_trylock": (EXCLUSIVE, 1, 0),
}

INIT_LOCK = frozenset({"pthread_mutex_init"})  # (lock, attributes)
# (lock or attributes, type) -> the bits of the type that let the holder take the lock again (pthread.h, threads.h)
SET_LOCK_TYPE = {"pthread_mutexattr_settype": 3, "mtx_init": 1}

# An initialiser that mentions one of these makes a lock that its holder can take again.
REENTRANT = frozenset(
    """PTHREAD_RECURSIVE_MUTEX_INITIALIZER PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP PTHREAD_ERRORCHECK_MUTEX_INITIALIZER
    PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_ERRORCHECK_NP""".split()
)

AWAIT = frozenset(
    {"pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait", "cnd_wait", "cnd_timedwait"}
)

BARRIER_WAIT = frozenset({"pthread_barrier_wait"})
SEMAPHORE_INIT = "sem_init"  # (semaphore, shared between processes, count)
TAKE = frozenset({"sem_wait"})
TRY_TAKE = frozenset({"sem_trywait", "sem_timedwait", "sem_clockwait"})
POST = frozenset({"sem_post"})

# name -> (handle, function, first argument of the thread)
SPAWN: dict[str, tuple[int, int, int]] = {"pthread_create": (0, 2, 3), "thrd_create": (0, 1, 2)}
JOIN = frozenset({"pthread_join", "thrd_join"})
# name -> result when the thread still runs
TRY_JOIN = {"pthread_tryjoin_np": EBUSY, "pthread_timedjoin_np": ETIMEDOUT, "pthread_clockjoin_np": ETIMEDOUT}
ONCE = frozenset({"pthread_once", "call_once"})

STOP = frozenset(
    "exit _exit _Exit quick_exit abort pthread_exit thrd_exit __assert_fail __builtin_unreachable __builtin_trap "
    "reach_error_abort longjmp siglongjmp".split()
)
ASSUME = frozenset({"assert", "__VERIFIER_assume", "__builtin_assume"})

ALLOCATE = frozenset(
    """malloc calloc realloc reallocarray aligned_alloc memalign valloc alloca __builtin_alloca strdup strndup kmalloc
    kzalloc kcalloc vmalloc vzalloc""".split()
)

# name -> ((argument, is written), ...): what the function does to the objects behind its arguments
TOUCH: dict[str, tuple[tuple[int, bool], ...]] = {
    "memset": ((0, True),),
    "bzero": ((0, True),),
    "memcpy": ((0, True), (1, False)),
    "memmove": ((0, True), (1, False)),
    "memcmp": ((0, False), (1, False)),
    "strcpy": ((0, True), (1, False)),
    "strncpy": ((0, True), (1, False)),
    "strcat": ((0, True), (1, False)),
    "strncat": ((0, True), (1, False)),
    "strcmp": ((0, False), (1, False)),
    "strncmp": ((0, False), (1, False)),
    "strlen": ((0, False),),
    "strchr": ((0, False),),
    "strstr": ((0, False), (1, False)),
    "puts": ((0, False),),
    "fputs": ((0, False),),
    "sprintf": ((0, True),),
    "snprintf": ((0, True),),
    "vsnprintf": ((0, True),),
    "fgets": ((0, True),),
    "fread": ((0, True),),
    "fwrite": ((0, False),),
    "read": ((1, True),),
    "recv": ((1, True),),
    "write": ((1, False),),
    "send": ((1, False),),
    "free": ((0, True),),
    "kfree": ((0, True),),
    "gettimeofday": ((0, True),),
    "qsort": ((0, True),),
}
PRINT = {"printf": 1, "fprintf": 2, "dprintf": 2}
SCAN = {"scanf": 1, "fscanf": 2, "sscanf": 2}

ATOMIC_BEGIN, ATOMIC_END, ATOMIC_PREFIX = "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", "__VERIFIER_atomic_"

# C11 and GCC atomics; the "_explicit" variants are the same.
ATOMIC_LOAD = frozenset({"atomic_load", "__atomic_load_n", "atomic_read"})
ATOMIC_STORE = frozenset({"atomic_store", "__atomic_store_n", "atomic_init"})
ATOMIC_EXCHANGE = frozenset({"atomic_exchange", "__atomic_exchange_n", "__sync_lock_test_and_set", "xchg"})
ATOMIC_TEST_AND_SET = frozenset({"atomic_flag_test_and_set", "__atomic_test_and_set"})
ATOMIC_CLEAR = frozenset({"atomic_flag_clear", "__atomic_clear", "__sync_lock_release"})
# gives True/False; expected is a pointer
COMPARE_EXCHANGE = frozenset(
    {"atomic_compare_exchange_strong", "atomic_compare_exchange_weak", "__atomic_compare_exchange_n"}
)
# GCC's generic forms take operands and give results through further pointers
ATOMIC_LOAD_INTO, ATOMIC_STORE_FROM = frozenset({"__atomic_load"}), frozenset({"__atomic_store"})
ATOMIC_EXCHANGE_VIA, COMPARE_EXCHANGE_FROM = frozenset({"__atomic_exchange"}), frozenset({"__atomic_compare_exchange"})
COMPARE_SWAP = {"__sync_bool_compare_and_swap": True, "__sync_val_compare_and_swap": False, "cmpxchg": False}

_OPERATIONS = {"add": "+", "sub": "-", "or": "|", "and": "&", "xor": "^", "nand": "~&"}
# name -> (operator, gives the new value)
ATOMIC_MODIFY: dict[str, tuple[str, bool]] = {
    **{f"atomic_fetch_{name}": (operator, False) for name, operator in _OPERATIONS.items()},
    **{f"__atomic_fetch_{name}": (operator, False) for name, operator in _OPERATIONS.items()},
    **{f"__atomic_{name}_fetch": (operator, True) for name, operator in _OPERATIONS.items()},
    **{f"__sync_fetch_and_{name}": (operator, False) for name, operator in _OPERATIONS.items()},
    **{f"__sync_{name}_and_fetch": (operator, True) for name, operator in _OPERATIONS.items()},
}
# Linux: the counter is the only argument, or the second one
KERNEL_ATOMIC: dict[str, tuple[int, str]] = {
    "atomic_inc": (0, "+"),
    "atomic_dec": (0, "-"),
    "atomic_inc_return": (0, "+"),
    "atomic_dec_return": (0, "-"),
    "atomic_dec_and_test": (0, "-"),
    "atomic_inc_and_test": (0, "+"),
    "atomic_add": (1, "+"),
    "atomic_sub": (1, "-"),
}
