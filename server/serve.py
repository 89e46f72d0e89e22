"""``assay serve``: the language server, over standard input and output or one TCP connection."""

import asyncio
import contextlib
import gc
import logging
import sys
from collections.abc import AsyncIterator, Iterator

from attrs import frozen

from assay.analyzers.errors import UsageError
from assay.server.client import Client
from assay.server.connection import Connection, Stdio, Tcp, claim_stdio
from assay.server.handshake import Ended, greet, incoming
from assay.server.lifetime import ending_with, on_signals
from assay.server.messages import Message

_log = logging.getLogger(__name__)


@frozen
class ServeOptions:
    """How to serve: on the address `tcp` (host, port), or on standard input and output when it is None.

    `log_level` is a name of the logging module; `debug` shows tracebacks on standard error.
    """

    tcp: tuple[str, int] | None = None
    log_level: str = "WARNING"
    debug: bool = False


def serve(options: ServeOptions) -> int:
    """Serve one client to the end of its conversation; give the exit status."""
    level = logging.DEBUG if options.debug else options.log_level.upper()
    logging.basicConfig(stream=sys.stderr, level=level, format="assay: %(levelname)s: %(message)s")
    logging.getLogger("asyncio").setLevel(logging.DEBUG if options.debug else logging.CRITICAL)
    logging.getLogger("pygls").setLevel(logging.WARNING)
    try:
        return asyncio.run(_serve_tcp(options) if options.tcp else _serve_stdio(options))
    except KeyboardInterrupt:
        return 130


async def _serve_stdio(options: ServeOptions) -> int:
    return await _converse(Stdio(*claim_stdio()), options)


async def _serve_tcp(options: ServeOptions) -> int:
    """Wait for one client; the address goes to standard error, so that port 0 can be asked for."""
    assert options.tcp is not None
    accepted: asyncio.Future[Tcp] = asyncio.get_running_loop().create_future()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if accepted.done():
            writer.close()
        else:
            accepted.set_result(Tcp(reader, writer))

    try:
        server = await asyncio.start_server(accept, *options.tcp)
    except OSError as error:
        host, port = options.tcp
        raise UsageError(f"Assay cannot listen on {host}:{port} ({error.strerror}). Choose another address.") from error
    host, port = server.sockets[0].getsockname()[:2]
    sys.stderr.write(f"assay: listening on {host}:{port}\n")
    sys.stderr.flush()
    connection = await accepted
    server.close()
    return await _converse(connection, options)


async def _converse(connection: Connection, options: ServeOptions) -> int:
    conversation = asyncio.ensure_future(_greet_and_converse(connection, options))
    on_signals(conversation.cancel)
    try:
        return await conversation
    except asyncio.CancelledError:
        return 1
    finally:
        await connection.close()


async def _greet_and_converse(connection: Connection, options: ServeOptions) -> int:
    messages = incoming(connection)
    client = await greet(messages, connection)
    if isinstance(client, Ended):
        return 1
    async with ending_with(client.process_id):
        return await _serve_client(client, messages, connection, options)


async def _serve_client(
    client: Client, messages: AsyncIterator[Message], connection: Connection, options: ServeOptions
) -> int:
    """Load the rest of the program, while the first analysis process starts beside it."""
    from assay.server.schedule import Schedule

    schedule = Schedule(quiet=not options.debug)
    try:
        schedule.prestart()
        with _rare_collections():
            from assay.server.application import converse, open_session
        return await converse(open_session(client, connection, schedule), messages)
    finally:
        await schedule.close()


@contextlib.contextmanager
def _rare_collections() -> Iterator[None]:
    """Collect garbage rarely while thousands of lasting objects are made: it saves a quarter of the import's time."""
    thresholds = gc.get_threshold()
    gc.set_threshold(20_000, *thresholds[1:])
    try:
        yield
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(*thresholds)


if __name__ == "__main__":
    sys.exit(serve(ServeOptions()))
