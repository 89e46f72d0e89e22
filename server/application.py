"""The conversation after ``initialize``: put together, run, and taken apart.

Importing this module loads the protocol library, so it is imported only once the client has its answer.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from functools import partial

from attrs import frozen
from lsprotocol import types
from pygls.lsp.server import LanguageServer

from assay.server.capabilities import package_version
from assay.server.client import Client
from assay.server.connection import Connection
from assay.server.editor import Editor
from assay.server.messages import Message
from assay.server.methods import METHODS
from assay.server.protocol import Protocol
from assay.server.schedule import Schedule
from assay.server.session import Session
from assay.server.structuring import converter

_log = logging.getLogger(__name__)


@frozen
class Writer:
    """Fits a connection to what pygls writes to."""

    connection: Connection

    def write(self, data: bytes) -> None:
        """Queue bytes for the client."""
        self.connection.send(data)

    def close(self) -> None:
        """Leave the connection to whoever made it."""


def open_session(client: Client, connection: Connection, schedule: Schedule) -> Session:
    """Put the parts of a conversation together."""
    server = LanguageServer("assay", package_version(), protocol_cls=Protocol, converter_factory=converter)
    protocol = server.protocol
    assert isinstance(protocol, Protocol)
    protocol.set_writer(Writer(connection))
    session = Session(client, Editor(client, protocol), schedule, dict(client.folders))
    protocol.handlers = {method: partial(handle, session) for method, handle in METHODS.items()}
    with contextlib.suppress(ValueError):
        protocol.trace = types.TraceValue(client.trace)
    return session


async def converse(session: Session, messages: AsyncIterator[Message]) -> int:
    """Answer the client until one side ends the conversation; give the exit status."""
    protocol = session.editor.protocol
    reading = asyncio.create_task(_read(session, messages))
    try:
        return await session.exit_status
    finally:
        reading.cancel()
        await protocol.abandon()


async def _read(session: Session, messages: AsyncIterator[Message]) -> None:
    protocol = session.editor.protocol
    try:
        async for message in messages:
            protocol.receive(message)
    finally:
        session.leave(0 if protocol.was_shut_down else 1)
