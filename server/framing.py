"""Cut a byte stream into message bodies, whatever the bytes are.

The base protocol of LSP puts a ``Content-Length`` header before each JSON body.  A client, or whatever is
connected in its place, may send headers in any case, headers nobody asked for, noise, or a length that
cannot be held in memory.  None of that may end the conversation, so the framer never raises: it skips what it
does not understand and finds the next header.
"""

import re
from typing import NamedTuple

MAX_BODY = 64 * 1024 * 1024
"""The largest body in bytes that is read; a larger one is skipped and reported."""

MAX_DRAIN = 4 * 1024 * 1024 * 1024
"""Announced lengths above this are taken for noise: their bytes are scanned for the next header."""

MAX_LINE = 8 * 1024
"""Of a header line only this many last bytes count: noise may stand before a header, and nothing behind it."""

_LENGTH = re.compile(rb"content-length\s*:\s*(\d{1,30})\s*$", re.IGNORECASE)


class Oversized(NamedTuple):
    """A message whose announced body of `length` bytes is too large to read."""

    length: int


Frame = bytes | Oversized


class Framer:
    """An incremental reader: `feed` it chunks in any sizes, get the complete bodies in order."""

    def __init__(self) -> None:
        """Start before the first header."""
        self._buffer = bytearray()
        self._length: int | None = None
        self._body: int | None = None
        self._drain = 0

    def feed(self, chunk: bytes) -> list[Frame]:
        """Take `chunk` and give every frame that it completes."""
        self._buffer += chunk
        frames: list[Frame] = []
        while self._advance(frames):
            pass
        return frames

    def _advance(self, frames: list[Frame]) -> bool:
        if self._drain:
            return self._drain_some()
        if self._body is not None:
            return self._take_body(frames)
        return self._take_line(frames)

    def _drain_some(self) -> bool:
        dropped = min(self._drain, len(self._buffer))
        del self._buffer[:dropped]
        self._drain -= dropped
        return self._drain == 0

    def _take_body(self, frames: list[Frame]) -> bool:
        assert self._body is not None
        if len(self._buffer) < self._body:
            return False
        frames.append(bytes(self._buffer[: self._body]))
        del self._buffer[: self._body]
        self._body = None
        return True

    def _take_line(self, frames: list[Frame]) -> bool:
        end = self._buffer.find(b"\n")
        if end < 0:
            self._bound_line()
            return False
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._header(line[-MAX_LINE:].strip(), frames)
        return True

    def _bound_line(self) -> None:
        if len(self._buffer) > MAX_LINE:
            del self._buffer[:-MAX_LINE]

    def _header(self, line: bytes, frames: list[Frame]) -> None:
        if match := _LENGTH.search(line):
            self._length = int(match[1])
        elif not line and self._length is not None:
            self._begin_body(self._length, frames)
            self._length = None

    def _begin_body(self, length: int, frames: list[Frame]) -> None:
        if length <= MAX_BODY:
            self._body = length
            return
        frames.append(Oversized(length))
        self._drain = length if length <= MAX_DRAIN else 0
