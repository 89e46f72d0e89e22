"""One analysis process, as the server sees it: started, sent messages, listened to, and ended."""

import asyncio
import contextlib
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import cast

from attrs import define, field

from assay.server import jobs

COMMAND = (sys.executable, "-P", "-m", "assay.server.worker")
"""How an analysis process starts; ``-P`` keeps the current folder out of its import path."""

_READ_AHEAD = 1 << 20


@define(eq=False)
class AnalysisProcess:
    """A running process; `on_event` gets what it says, `on_end` its exit status, once."""

    on_event: Callable[["AnalysisProcess", jobs.Event], None]
    on_end: Callable[["AnalysisProcess", int], None]
    ready: bool = False
    _process: asyncio.subprocess.Process | None = None
    _reader: asyncio.Task[None] | None = None
    _sent: dict[Path, jobs.Overlay] = field(factory=dict)

    async def start(self, command: Iterable[str] = COMMAND, quiet: bool = True) -> None:
        """Start the process; raises `OSError` when that is impossible. It is of use once it says `Hello`."""
        self._process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL if quiet else None,
            limit=_READ_AHEAD,
            start_new_session=True,
        )
        self._reader = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        with contextlib.suppress(asyncio.IncompleteReadError, OSError):
            while True:
                self.on_event(self, await self._next(self._process.stdout))
        self.kill()
        self.on_end(self, await self._process.wait())

    async def _next(self, stream: asyncio.StreamReader) -> jobs.Event:
        (length,) = jobs.HEADER.unpack(await stream.readexactly(jobs.HEADER.size))
        return cast(jobs.Event, jobs.unpack(await stream.readexactly(length)))

    def send(self, message: jobs.Job | jobs.Overlay | jobs.Cancel) -> None:
        """Send a message; one to a process that has just died is lost, which `on_end` makes good."""
        assert self._process is not None
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, RuntimeError):
            self._process.stdin.write(jobs.pack(message))

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
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def closed(self) -> None:
        """Wait until the process is gone."""
        if self._reader is not None:
            await asyncio.wait([self._reader])
