"""What a C file may rely on without including anything of its own: the compiler's macros and the standard headers."""

DEFINITIONS: tuple[str, ...] = (
    "__STDC__=1",
    "__STDC_VERSION__=201710L",
    "__STDC_HOSTED__=1",
    "__GNUC__=12",
    "__GNUC_MINOR__=2",
    "__GNUC_PATCHLEVEL__=0",
    "__GNUC_STDC_INLINE__=1",
    '__VERSION__="12.2.0"',
    "__OPTIMIZE__=1",
    "__linux__=1",
    "__linux=1",
    "__gnu_linux__=1",
    "__unix__=1",
    "__unix=1",
    "__ELF__=1",
    "__x86_64__=1",
    "__x86_64=1",
    "__amd64__=1",
    "__amd64=1",
    "_LP64=1",
    "__LP64__=1",
    "__CHAR_BIT__=8",
    "__SIZEOF_SHORT__=2",
    "__SIZEOF_INT__=4",
    "__SIZEOF_LONG__=8",
    "__SIZEOF_LONG_LONG__=8",
    "__SIZEOF_POINTER__=8",
    "__SIZEOF_SIZE_T__=8",
    "__SIZEOF_INT128__=16",
    "__SIZEOF_FLOAT__=4",
    "__SIZEOF_DOUBLE__=8",
    "__SCHAR_MAX__=127",
    "__SHRT_MAX__=32767",
    "__INT_MAX__=2147483647",
    "__LONG_MAX__=9223372036854775807L",
    "__LONG_LONG_MAX__=9223372036854775807LL",
    "__SIZE_MAX__=18446744073709551615UL",
    "__SIZE_TYPE__=unsigned long",
    "__PTRDIFF_TYPE__=long",
    "__WCHAR_TYPE__=int",
    "__INT8_TYPE__=signed char",
    "__INT16_TYPE__=short",
    "__INT32_TYPE__=int",
    "__INT64_TYPE__=long",
    "__UINT8_TYPE__=unsigned char",
    "__UINT16_TYPE__=unsigned short",
    "__UINT32_TYPE__=unsigned int",
    "__UINT64_TYPE__=unsigned long",
    "__INTPTR_TYPE__=long",
    "__UINTPTR_TYPE__=unsigned long",
    "__ORDER_LITTLE_ENDIAN__=1234",
    "__ORDER_BIG_ENDIAN__=4321",
    "__BYTE_ORDER__=1234",
    "__ATOMIC_RELAXED=0",
    "__ATOMIC_CONSUME=1",
    "__ATOMIC_ACQUIRE=2",
    "__ATOMIC_RELEASE=3",
    "__ATOMIC_ACQ_REL=4",
    "__ATOMIC_SEQ_CST=5",
    "__GCC_ATOMIC_INT_LOCK_FREE=2",
    "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_4=1",
    "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_8=1",
    '__DATE__="Jan  1 1970"',
    '__TIME__="00:00:00"',
)

_HEADERS = """
aio.h alloca.h arpa/inet.h assert.h complex.h cpio.h ctype.h dirent.h dlfcn.h endian.h err.h errno.h error.h
execinfo.h fcntl.h features.h fenv.h float.h fmtmsg.h fnmatch.h ftw.h getopt.h glob.h grp.h iconv.h immintrin.h
inttypes.h iso646.h langinfo.h libgen.h limits.h linux/futex.h locale.h malloc.h math.h memory.h monetary.h
mqueue.h ndbm.h net/if.h netdb.h netinet/in.h netinet/tcp.h nl_types.h omp.h poll.h pthread.h pwd.h regex.h
sched.h search.h semaphore.h setjmp.h signal.h spawn.h stdalign.h stdarg.h stdatomic.h stdbit.h stdbool.h
stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h strings.h stropts.h sys/cdefs.h sys/epoll.h
sys/eventfd.h sys/file.h sys/inotify.h sys/ioctl.h sys/ipc.h sys/mman.h sys/mount.h sys/msg.h sys/param.h
sys/prctl.h sys/ptrace.h sys/random.h sys/resource.h sys/select.h sys/sem.h sys/sendfile.h sys/shm.h
sys/signalfd.h sys/socket.h sys/stat.h sys/statvfs.h sys/syscall.h sys/sysinfo.h sys/time.h sys/timerfd.h
sys/times.h sys/types.h sys/uio.h sys/un.h sys/utsname.h sys/wait.h syscall.h syslog.h tar.h termios.h tgmath.h
threads.h time.h trace.h uchar.h ucontext.h ulimit.h unistd.h utime.h utmpx.h wchar.h wctype.h wordexp.h
x86intrin.h"""
STANDARD_HEADERS: frozenset[str] = frozenset(_HEADERS.split())
