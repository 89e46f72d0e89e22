"""The client's process, taken hold of as soon as its id is known: an editor may die while the server is loading."""

import os
from typing import NamedTuple


class Watched(NamedTuple):
    """A process; `descriptor` becomes readable when it ends, where the platform has such."""

    process_id: int
    descriptor: int | None


def watch(process_id: int | None) -> Watched | None:
    """Take hold of a process; None when it cannot be seen.

    An editor outside this container has an id that means nothing here, and the end of standard input tells of its
    death as well.
    """
    if process_id is None:
        return None
    try:
        if hasattr(os, "pidfd_open"):
            return Watched(process_id, os.pidfd_open(process_id))
    except (OSError, OverflowError):
        return None
    return Watched(process_id, None) if alive(process_id) else None


def alive(process_id: int) -> bool:
    """Tell whether a process exists; only asked on systems that have no descriptors for processes."""
    if os.name == "nt":  # where signal 0 ends a process
        return True
    try:
        os.kill(process_id, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
