"""``shutdown``: stop all work and wait for ``exit``."""

from assay.server.session import Session


async def handle(session: Session, params: None) -> None:
    """Refuse further requests and end the analysis processes."""
    session.editor.protocol.stop_accepting()
    await session.schedule.close()
