"""Reasons to end that come from outside the conversation: the client's process dies, or a signal arrives."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from assay.server.watched import Watched, alive

POLL_SECONDS = 2.0
LEAVE_SECONDS = 10.0
"""How long an orderly end may take after a signal; the analysis processes end with the server either way."""


def on_signals(leave: Callable[[], object]) -> None:
    """Call `leave` when the process is asked to end, where the platform can tell the event loop."""
    loop = asyncio.get_running_loop()

    def end() -> None:
        loop.call_later(LEAVE_SECONDS, os._exit, 1)
        leave()

    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError, RuntimeError):
            loop.add_signal_handler(number, end)


@asynccontextmanager
async def ending_with(watched: Watched | None) -> AsyncIterator[None]:
    """Cancel the current task when a process ends during the block."""
    task = asyncio.current_task()
    assert task is not None
    if watched is None:
        yield
        return
    watching = asyncio.create_task(_watch(watched, task.cancel))
    try:
        yield
    finally:
        watching.cancel()


async def _watch(watched: Watched, leave: Callable[[], object]) -> None:
    if watched.descriptor is not None:
        await _readable(watched.descriptor)
    else:
        while alive(watched.process_id):
            await asyncio.sleep(POLL_SECONDS)
    leave()


async def _readable(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    ended = loop.create_future()
    loop.add_reader(descriptor, lambda: None if ended.done() else ended.set_result(None))
    try:
        await ended
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)
