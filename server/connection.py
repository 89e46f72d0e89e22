"""A client's channel in the event loop.

Each direction is served by a thread, so that neither a slow reader nor a large write ever holds up the event loop, and
so that it makes no difference what kind of file standard input is.
"""

import asyncio
import contextlib
import queue
import threading

from assay.server.channel import Channel

MAX_WAITING_CHUNKS = 16
MAX_BACKLOG = 256 * 1024 * 1024
"""Bytes that may wait for a client that does not read; beyond it the client is taken for dead."""

_FLUSH_SECONDS = 2.0


class Connection:
    """Receives and sends bytes without ever waiting for the client in the event loop."""

    def __init__(self, channel: Channel) -> None:
        """Start reading and writing; needs a running event loop."""
        self._channel = channel
        self._loop = asyncio.get_running_loop()
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self._room = threading.Semaphore(MAX_WAITING_CHUNKS)
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._queued = self._written = 0
        self._writer = threading.Thread(target=self._write, name="to client", daemon=True)
        self._writer.start()
        threading.Thread(target=self._read, name="from client", daemon=True).start()

    def _read(self) -> None:
        chunk = b"."
        while chunk:
            self._room.acquire()
            chunk = self._channel.read()
            self._deliver(chunk)

    def _deliver(self, chunk: bytes) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, and with it the need
            self._loop.call_soon_threadsafe(self._chunks.put_nowait, chunk)

    def _write(self) -> None:
        while (data := self._outbox.get()) is not None:
            try:
                self._channel.write(data)
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
        """Write what is queued, for at most two seconds, and end."""
        self._outbox.put(None)
        await asyncio.to_thread(self._writer.join, _FLUSH_SECONDS)
        self._channel.close()
