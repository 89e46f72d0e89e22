"""The conversation up to the answer to ``initialize``, with nothing heavy loaded, not even the event loop.

The rest of the program takes half a second to import, so it is loaded only after the client has its answer.  Until
then every other request is refused with ``ServerNotInitialized``, as LSP requires.
"""

from collections import deque

from assay.server import client as clients
from assay.server.capabilities import initialize_result
from assay.server.channel import Channel
from assay.server.client import Client
from assay.server.framing import Framer, Oversized
from assay.server.messages import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    NOT_INITIALIZED,
    Id,
    Malformed,
    Message,
    Notification,
    Request,
    encode_error,
    encode_result,
    parse,
)


class Inbox:
    """The messages of a client, in order, from the chunks in which its bytes come."""

    def __init__(self) -> None:
        """Start before the first byte."""
        self._framer = Framer()
        self._waiting: deque[bytes | Oversized] = deque()

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes."""
        self._waiting.extend(self._framer.feed(chunk))

    def take(self) -> Message | None:
        """Give the next message; None when more bytes are needed for one."""
        if not self._waiting:
            return None
        frame = self._waiting.popleft()
        return too_large(frame.length) if isinstance(frame, Oversized) else parse(frame)


def too_large(length: int) -> Malformed:
    """Say that a message cannot be read because of its size."""
    reason = f"The message of {length} bytes is too large to be read; the limit is 64 MiB."
    return Malformed(None, INVALID_REQUEST, reason, telling=True)


def greet(inbox: Inbox, channel: Channel) -> Client | None:
    """Refuse everything until ``initialize`` arrives, and answer that; None when the client leaves before."""
    while True:
        while (message := inbox.take()) is None:
            if not (chunk := channel.read()):
                return None
            inbox.feed(chunk)
        if isinstance(message, Notification) and message.method == "exit":
            return None
        if (client := _answer(message, channel)) is not None:
            return client


def _answer(message: Message, channel: Channel) -> Client | None:
    """Answer one message; give the client if it is initialized by that. Notifications are dropped."""
    match message:
        case Malformed(request_id, code, reason):
            channel.write(encode_error(request_id, code, reason))
        case Request(request_id, "initialize", params):
            return _initialize(request_id, params, channel)
        case Request(request_id, method):
            reason = f"`{method}` came before `initialize`. Send `initialize` first."
            channel.write(encode_error(request_id, NOT_INITIALIZED, reason))
    return None


def _initialize(request_id: Id, params: object, channel: Channel) -> Client | None:
    if reason := clients.problem(params):
        channel.write(encode_error(request_id, INVALID_PARAMS, reason))
        return None
    assert isinstance(params, dict)
    client = clients.read(params)
    channel.write(encode_result(request_id, initialize_result(client)))
    return client
