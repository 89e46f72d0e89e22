"""The conversation after ``initialize``: put together, run, and taken apart.

Importing this module loads the protocol library, so it is imported only once the client has its answer.
"""

import asyncio
import contextlib
import logging
import sys
from functools import partial

from attrs import frozen
from lsprotocol import types
from pygls.lsp.server import LanguageServer

from assay.server.client import Client
from assay.server.connection import Connection
from assay.server.editor import Editor
from assay.server.handshake import Inbox
from assay.server.lifetime import ending_with, on_signals
from assay.server.messages import Malformed
from assay.server.methods import METHODS
from assay.server.protocol import Protocol
from assay.server.schedule import Schedule
from assay.server.serve import Greeted, ServeOptions
from assay.server.session import Session
from assay.server.structuring import converter
from assay.server.version import assay_version


@frozen
class Writer:
    """Fits a connection to what pygls writes to."""

    connection: Connection

    def write(self, data: bytes) -> None:
        """Queue bytes for the client."""
        self.connection.send(data)

    def close(self) -> None:
        """Leave the connection to whoever made it."""


def run(greeted: Greeted, options: ServeOptions) -> int:
    """Serve a client to the end of the conversation; give the exit status."""
    _log_to_stderr(options)
    return asyncio.run(_run(greeted, options))


def _log_to_stderr(options: ServeOptions) -> None:
    level = logging.DEBUG if options.debug else options.log_level.upper()
    logging.basicConfig(stream=sys.stderr, level=level, format="assay: %(levelname)s: %(message)s")
    logging.getLogger("asyncio").setLevel(logging.DEBUG if options.debug else logging.CRITICAL)
    logging.getLogger("pygls").setLevel(logging.WARNING)


async def _run(greeted: Greeted, options: ServeOptions) -> int:
    connection, schedule = Connection(greeted.channel), Schedule(quiet=not options.debug)
    if greeted.first is not None:
        schedule.adopt(greeted.first)
    conversation = asyncio.ensure_future(_converse(greeted, connection, schedule))
    on_signals(conversation.cancel)
    try:
        return await conversation
    except asyncio.CancelledError:
        return 1
    finally:
        await schedule.close()
        await connection.close()


async def _converse(greeted: Greeted, connection: Connection, schedule: Schedule) -> int:
    async with ending_with(greeted.watched):
        return await converse(open_session(greeted.client, connection, schedule), connection, greeted.inbox)


def open_session(client: Client, connection: Connection, schedule: Schedule) -> Session:
    """Put the parts of a conversation together."""
    server = LanguageServer("assay", assay_version(), protocol_cls=Protocol, converter_factory=converter)
    protocol = server.protocol
    assert isinstance(protocol, Protocol)
    protocol.set_writer(Writer(connection))
    session = Session(client, Editor(client, protocol), schedule, dict(client.folders))
    protocol.handlers = {method: partial(handle, session) for method, handle in METHODS.items()}
    with contextlib.suppress(ValueError):
        protocol.trace = types.TraceValue(client.trace)
    return session


async def converse(session: Session, connection: Connection, inbox: Inbox) -> int:
    """Answer the client until one side ends the conversation; give the exit status."""
    protocol = session.editor.protocol
    reading = asyncio.create_task(_read(session, connection, inbox))
    try:
        return await session.exit_status
    finally:
        reading.cancel()
        await protocol.abandon()


async def _read(session: Session, connection: Connection, inbox: Inbox) -> None:
    """Take the messages that came with ``initialize``, and then those that come."""
    protocol = session.editor.protocol
    try:
        chunk = b"."
        while chunk:
            while (message := inbox.take()) is not None:
                protocol.receive(message)
                if isinstance(message, Malformed) and message.telling:
                    session.editor.tell_once("oversized", f"{message.reason} If it was a file, it is not checked.")
            inbox.feed(chunk := await connection.receive())
    finally:
        session.leave(0 if protocol.was_shut_down else 1)
