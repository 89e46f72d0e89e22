"""The byte streams to a client: standard input and output, or one TCP connection.

Both ends of stdio are served by a thread each, so that neither a slow reader nor a large write ever holds up the
event loop, and so that it makes no difference what kind of file standard input is.
"""

import asyncio
import contextlib
import os
import queue
import threading
from typing import Protocol

CHUNK = 64 * 1024
MAX_WAITING_CHUNKS = 16
MAX_BACKLOG = 256 * 1024 * 1024
"""Bytes that may wait for a client that does not read; beyond it the client is taken for dead."""

_FLUSH_SECONDS = 2.0


class Connection(Protocol):
    """Two byte streams."""

    async def receive(self) -> bytes:
        """Give the next bytes; empty at the end of the stream."""

    def send(self, data: bytes) -> None:
        """Queue bytes for the client, in order; never waits."""

    async def close(self) -> None:
        """Write what is queued, for a bounded time, and end."""


class Stdio:
    """The connection over a pair of file descriptors."""

    def __init__(self, source: int, sink: int) -> None:
        """Start reading `source` and writing `sink`; needs a running event loop."""
        self._source, self._sink = source, sink
        self._loop = asyncio.get_running_loop()
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self._room = threading.Semaphore(MAX_WAITING_CHUNKS)
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._queued = self._written = 0
        self._writer = threading.Thread(target=self._write, name="stdout", daemon=True)
        self._writer.start()
        threading.Thread(target=self._read, name="stdin", daemon=True).start()

    def _read(self) -> None:
        chunk = b"."
        while chunk:
            self._room.acquire()
            try:
                chunk = os.read(self._source, CHUNK)
            except OSError:
                chunk = b""
            self._deliver(chunk)

    def _deliver(self, chunk: bytes) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, and with it the need
            self._loop.call_soon_threadsafe(self._chunks.put_nowait, chunk)

    def _write(self) -> None:
        while (data := self._outbox.get()) is not None:
            rest = memoryview(data)
            try:
                while rest:
                    rest = rest[os.write(self._sink, rest) :]
            except OSError:
                self._deliver(b"")
                return
            self._written += len(data)

    async def receive(self) -> bytes:
        """Give the next bytes; empty when the client closed its end or stopped reading."""
        chunk = await self._chunks.get()
        self._room.release()
        return chunk

    def send(self, data: bytes) -> None:
        """Queue bytes; a client too far behind is given up."""
        self._queued += len(data)
        if self._queued - self._written > MAX_BACKLOG:
            self._deliver(b"")
            return
        self._outbox.put(data)

    async def close(self) -> None:
        """Write what is queued, for at most two seconds."""
        self._outbox.put(None)
        await asyncio.to_thread(self._writer.join, _FLUSH_SECONDS)


class Tcp:
    """The connection over a socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take over an accepted connection."""
        self._reader, self._writer = reader, writer

    async def receive(self) -> bytes:
        """Give the next bytes; empty at the end or when the connection broke."""
        try:
            return await self._reader.read(CHUNK)
        except OSError:
            return b""

    def send(self, data: bytes) -> None:
        """Queue bytes; a client too far behind is given up."""
        if self._writer.transport.get_write_buffer_size() > MAX_BACKLOG:
            self._writer.transport.abort()
        elif not self._writer.is_closing():
            self._writer.write(data)

    async def close(self) -> None:
        """Write what is queued, for at most two seconds."""
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(_FLUSH_SECONDS):
                await self._writer.drain()
        self._writer.close()


def claim_stdio() -> tuple[int, int]:
    """Give private descriptors for the protocol, and point standard output at standard error.

    A stray write to standard output, by a library or an extension, would otherwise corrupt the stream.
    """
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started with standard error closed
        os.dup2(null, 1)
    os.close(null)
    return source, sink
