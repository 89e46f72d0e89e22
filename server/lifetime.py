"""Reasons to end that come from outside the conversation: the client's process dies, or a signal arrives."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable

POLL_SECONDS = 2.0


def on_signals(leave: Callable[[], object]) -> None:
    """Call `leave` when the process is asked to end, where the platform can tell the event loop."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError, RuntimeError):
            loop.add_signal_handler(number, leave)


async def watch_process(process_id: int, leave: Callable[[], None]) -> None:
    """Call `leave` when a process has ended.

    A process that cannot be seen from the start is not watched: an editor outside this container has an id that
    means nothing here, and the end of standard input tells of its death as well.
    """
    try:
        descriptor = _open(process_id)
    except OSError:
        return
    if descriptor is not None:
        await _readable(descriptor)
    else:
        while _alive(process_id):
            await asyncio.sleep(POLL_SECONDS)
    leave()


def _open(process_id: int) -> int | None:
    """Give a descriptor that becomes readable when the process ends, where the platform has such."""
    if hasattr(os, "pidfd_open"):
        return os.pidfd_open(process_id)
    if not _alive(process_id):
        raise ProcessLookupError
    return None


async def _readable(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    ended = loop.create_future()
    loop.add_reader(descriptor, lambda: None if ended.done() else ended.set_result(None))
    try:
        await ended
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)


def _alive(process_id: int) -> bool:
    """Tell whether a process exists; only asked on systems where signal 0 does nothing."""
    if os.name == "nt":
        return True
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
