"""Reasons to end that come from outside the conversation: the client's process dies, or a signal arrives."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

POLL_SECONDS = 2.0


def on_signals(leave: Callable[[], object]) -> None:
    """Call `leave` when the process is asked to end, where the platform can tell the event loop."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError, RuntimeError):
            loop.add_signal_handler(number, leave)


@asynccontextmanager
async def ending_with(process_id: int | None) -> AsyncIterator[None]:
    """Cancel the current task when a process ends during the block.

    A process that cannot be seen from the start is not watched: an editor outside this container has an id that
    means nothing here, and the end of standard input tells of its death as well.
    """
    task = asyncio.current_task()
    assert task is not None
    try:
        descriptor = None if process_id is None else _open(process_id)
    except (OSError, OverflowError):
        process_id = None
    if process_id is None:
        yield
        return
    watching = asyncio.create_task(_watch(process_id, descriptor, task.cancel))
    try:
        yield
    finally:
        watching.cancel()


async def _watch(process_id: int, descriptor: int | None, leave: Callable[[], object]) -> None:
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
