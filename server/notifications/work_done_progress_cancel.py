"""``window/workDoneProgress/cancel``: the person pressed the button of a progress bar."""

from lsprotocol import types

from assay.server.session import Session


async def handle(session: Session, params: types.WorkDoneProgressCancelParams) -> None:
    """Stop the work behind the bar."""
    session.progress.cancel(params.token)
