"""The conversation up to the answer to ``initialize``, with nothing heavy loaded.

The protocol library takes a third of a second to import, so it is loaded only after the client has its
answer.  Until then every other request is refused with ``ServerNotInitialized``, as LSP requires.
"""

from collections.abc import AsyncIterator

from attrs import frozen

from assay.server import client as clients
from assay.server.capabilities import initialize_result
from assay.server.client import Client
from assay.server.connection import Connection
from assay.server.framing import Framer, Oversized
from assay.server.messages import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    NOT_INITIALIZED,
    Malformed,
    Message,
    Notification,
    Request,
    encode_error,
    encode_result,
    parse,
)


@frozen
class Ended:
    """The client left before it initialized the server."""


async def incoming(connection: Connection) -> AsyncIterator[Message]:
    """Give every message of a client in order, until its stream ends."""
    framer = Framer()
    while chunk := await connection.receive():
        for frame in framer.feed(chunk):
            yield too_large(frame.length) if isinstance(frame, Oversized) else parse(frame)


def too_large(length: int) -> Malformed:
    """Say that a message cannot be read because of its size."""
    reason = f"The message of {length} bytes is too large to be read; the limit is 64 MiB."
    return Malformed(None, INVALID_REQUEST, reason)


async def greet(messages: AsyncIterator[Message], connection: Connection) -> Client | Ended:
    """Refuse everything until ``initialize`` arrives, and answer that."""
    async for message in messages:
        match message:
            case Malformed(request_id, code, reason):
                connection.send(encode_error(request_id, code, reason))
            case Request(request_id, "initialize", params):
                if client := _initialize(request_id, params, connection):
                    return client
            case Request(request_id, method):
                reason = f"`{method}` came before `initialize`. Send `initialize` first."
                connection.send(encode_error(request_id, NOT_INITIALIZED, reason))
            case Notification("exit"):
                return Ended()
            case _:
                pass  # notifications before `initialize` are to be dropped
    return Ended()


def _initialize(request_id: int | str, params: object, connection: Connection) -> Client | None:
    if reason := clients.problem(params):
        connection.send(encode_error(request_id, INVALID_PARAMS, reason))
        return None
    assert isinstance(params, dict)
    client = clients.read(params)
    connection.send(encode_result(request_id, initialize_result(client)))
    return client
