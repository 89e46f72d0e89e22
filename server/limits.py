"""Bounds that an analysis process puts on itself, where the platform has them."""

import gc
import os
import signal
import sys
from contextlib import suppress

MAX_MEMORY = 450 * 1024 * 1024
"""Bytes of data that one analysis process may hold."""

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def die_with_parent() -> None:
    """Ask Linux to kill this process when its parent dies, even by SIGKILL.

    Elsewhere, and when this fails, the process still ends when its pipe does.
    """
    if sys.platform != "linux":
        return
    import ctypes

    parent = os.getppid()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


def release_memory() -> None:
    """Give memory that a large job used back to the system: glibc keeps it otherwise, some 60 MB after 10,000 lines."""
    gc.collect()
    if sys.platform == "linux":
        import ctypes

        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


def bound_memory() -> None:
    """Turn running out of memory into a `MemoryError` in here, before it becomes everybody's problem."""
    try:
        import resource
    except ImportError:  # not on Windows; the deadline still holds
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = MAX_MEMORY if hard == resource.RLIM_INFINITY else min(MAX_MEMORY, hard)
    if soft == resource.RLIM_INFINITY or soft > limit:
        with suppress(ValueError, OSError):  # where the system refuses a limit, the deadline still holds
            resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
