"""``$/setTrace``: how much the client wants to hear about the conversation."""

import logging

from lsprotocol import types

from assay.server.session import Session

_log = logging.getLogger(__name__)


async def handle(session: Session, params: types.SetTraceParams) -> None:
    """Keep the level; the protocol sends ``$/logTrace`` from it."""
    try:
        session.editor.protocol.trace = types.TraceValue(params.value)
    except ValueError:
        _log.warning("ignoring the trace level %r, which is none of off, messages and verbose", params.value)
