"""``exit``: leave, with status 0 after ``shutdown`` and 1 without."""

from assay.server.session import Session


async def handle(session: Session, params: None) -> None:
    """End the conversation."""
    session.leave(0 if session.editor.protocol.was_shut_down else 1)
