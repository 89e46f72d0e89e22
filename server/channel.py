"""Where a client's bytes come from and go to: standard input and output, or one TCP connection; plain and blocking.

It loads nothing, because the answer to ``initialize`` goes out before anything else is loaded.
"""

import os
from typing import TYPE_CHECKING, Protocol

from assay.analyzers.errors import UsageError

if TYPE_CHECKING:
    import socket

CHUNK = 64 * 1024


class Channel(Protocol):
    """Two byte streams; reading and writing may happen at the same time, in a thread each."""

    def read(self) -> bytes:
        """Wait for the next bytes; empty at the end of the stream, and when the connection broke."""

    def write(self, data: bytes) -> None:
        """Write all bytes; raises `OSError` when the client is gone."""

    def close(self) -> None:
        """Give up the connection."""


class Stdio:
    """A pair of file descriptors."""

    def __init__(self, source: int, sink: int) -> None:
        """Read `source` and write `sink`, which may be any kind of file."""
        self._source, self._sink = source, sink

    def read(self) -> bytes:
        """Wait for the next bytes."""
        try:
            return os.read(self._source, CHUNK)
        except OSError:
            return b""

    def write(self, data: bytes) -> None:
        """Write all bytes."""
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._sink, rest) :]

    def close(self) -> None:
        """Leave the descriptors to the end of the process: a thread may be waiting in one."""


class Tcp:
    """An accepted connection."""

    def __init__(self, connection: "socket.socket") -> None:
        """Take over the connection."""
        self._connection = connection

    def read(self) -> bytes:
        """Wait for the next bytes."""
        try:
            return self._connection.recv(CHUNK)
        except OSError:
            return b""

    def write(self, data: bytes) -> None:
        """Write all bytes."""
        self._connection.sendall(data)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def claim_stdio() -> Stdio:
    """Take private descriptors for the protocol, and point standard output at standard error.

    A stray write to standard output, by a library or an extension, would otherwise corrupt the stream.
    Raises `UsageError` when either was closed by whoever started the server.
    """
    try:
        os.fstat(1)  # if it were closed, the copy of standard input would take its place
        source, sink = os.dup(0), os.dup(1)
    except OSError as error:
        raise UsageError(
            "The language server speaks on standard input and output, and one of them is closed. "
            "Let an editor start it, or use `assay serve --tcp HOST:PORT`."
        ) from error
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started with standard error closed
        os.dup2(null, 1)
    os.close(null)
    return Stdio(source, sink)


def accept(host: str, port: int) -> Tcp:
    """Wait for one client; the address goes to standard error, so that port 0 can be asked for."""
    import socket
    import sys

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        server = socket.create_server((host, port), family=family)
    except OSError as error:
        raise UsageError(f"Assay cannot listen on {host}:{port} ({error.strerror}). Choose another address.") from error
    with server:
        chosen = server.getsockname()[:2]
        sys.stderr.write(f"assay: listening on {chosen[0]}:{chosen[1]}\n")
        sys.stderr.flush()
        return Tcp(server.accept()[0])
