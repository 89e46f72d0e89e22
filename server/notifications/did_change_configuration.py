"""``workspace/didChangeConfiguration``: the editor's settings changed."""

from lsprotocol import types

from assay.server.session import Session


async def handle(session: Session, params: types.DidChangeConfigurationParams) -> None:
    """Ask for the settings anew, or take those that came along."""
    await session.load_settings(params.settings)
