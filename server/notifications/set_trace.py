"""``$/setTrace``: how much the client wants to hear about the conversation."""

from lsprotocol import types

from assay.server.session import Session


async def handle(session: Session, params: types.SetTraceParams) -> None:
    """Keep the level; the protocol sends ``$/logTrace`` from it."""
    session.editor.protocol.trace = types.TraceValue(params.value)
