"""One analysis process, as the server sees it: started, sent messages, listened to, and ended.

A thread writes to the process and a thread reads from it, so that packing and unpacking messages never holds up the
event loop.  asyncio's own subprocesses are not used: killing one that has just ended takes its exit status away from
the thread that waits for it, which then reports 255.
"""

import asyncio
import contextlib
import queue
import subprocess
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO, cast

from attrs import define, field

from assay.server import jobs
from assay.server.spawn import COMMAND, spawn

MAX_MESSAGE = 1 << 30
"""Bytes; a process that announces a longer message talks nonsense."""

END_SECONDS = 1.0
"""How long a process that closed its pipe may take to end by itself."""

_Message = jobs.Job | jobs.Overlay | jobs.Cancel


@define(eq=False)
class AnalysisProcess:
    """A running process; `on_event` gets what it says, `on_end` its exit status, once; both in the event loop."""

    on_event: Callable[["AnalysisProcess", jobs.Event], None]
    on_end: Callable[["AnalysisProcess", int], None]
    ready: bool = False
    _process: "subprocess.Popen[bytes] | None" = None
    _loop: asyncio.AbstractEventLoop = field(factory=asyncio.get_running_loop)
    _outbox: "queue.SimpleQueue[_Message | None]" = field(factory=queue.SimpleQueue)
    _gone: asyncio.Event = field(factory=asyncio.Event)
    _sent: dict[Path, jobs.Overlay] = field(factory=dict)

    def start(self, command: Sequence[str] = COMMAND, quiet: bool = True) -> None:
        """Start the process; raises `OSError` when that is impossible. It is of use once it says `Hello`."""
        self.adopt(spawn(command, quiet))

    def adopt(self, process: "subprocess.Popen[bytes]") -> None:
        """Take over a process that was started before the event loop."""
        self._process = process
        for work in (self._listen, self._write):
            threading.Thread(target=work, args=(process,), name="analysis", daemon=True).start()

    def _listen(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        with contextlib.suppress(OSError, EOFError):
            while True:
                self._in_loop(self.on_event, self, _receive(process.stdout))
        self._outbox.put(None)
        status = _status(process)
        process.stdout.close()
        self._in_loop(self._ended, status)

    def _ended(self, status: int) -> None:
        self._gone.set()
        self.on_end(self, status)

    def _in_loop(self, call: Callable[..., None], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, and with it the need
            self._loop.call_soon_threadsafe(call, *arguments)

    def _write(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None
        with contextlib.suppress(OSError), process.stdin as sink:
            while (message := self._outbox.get()) is not None:
                sink.write(jobs.pack(message))
                sink.flush()

    def send(self, message: _Message) -> None:
        """Send a message; one to a process that has just died is lost, which `on_end` makes good."""
        self._outbox.put(message)

    def share(self, overlays: Iterable[jobs.Overlay]) -> None:
        """Bring the process's view of the open documents up to date, sending only what changed."""
        current = {overlay.path: overlay for overlay in overlays}
        for path in self._sent.keys() - current.keys():
            self.send(jobs.Overlay(path, self._sent.pop(path).uri, None))
        for path, overlay in current.items():
            if self._sent.get(path) != overlay:
                self._sent[path] = overlay
                self.send(overlay)

    def kill(self) -> None:
        """End the process at once; `on_end` follows."""
        if self._process is not None:
            self._process.kill()

    async def closed(self) -> None:
        """Wait until the process is gone."""
        if self._process is not None:
            await self._gone.wait()


def _receive(stream: IO[bytes]) -> jobs.Event:
    """Read one message; raises `EOFError` at the end and when what comes is none."""
    (length,) = jobs.HEADER.unpack(_exactly(stream, jobs.HEADER.size))
    if length > MAX_MESSAGE:
        raise EOFError
    body = _exactly(stream, length)
    try:
        return cast(jobs.Event, jobs.unpack(body))
    except Exception as error:  # damaged bytes can fail in any way, and the process that wrote them is replaced
        raise EOFError from error


def _exactly(stream: IO[bytes], length: int) -> bytes:
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return data


def _status(process: "subprocess.Popen[bytes]") -> int:
    """Wait for the end of a process that has closed its pipe, and give its exit status."""
    try:
        return process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()
