"""``shutdown``: stop all work and wait for ``exit``."""

from assay.server.session import Session


async def handle(session: Session, params: None) -> None:
    """End the analysis processes; the protocol refuses further requests by itself."""
    await session.schedule.close()
