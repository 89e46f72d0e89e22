"""``workspace/didChangeWorkspaceFolders``: folders were added to the workspace, or removed."""

from lsprotocol import types

from assay.server.session import Session


async def handle(session: Session, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Keep the list, and ask for the settings of the new folders."""
    for folder in params.event.removed:
        session.folders.pop(folder.uri, None)
    for folder in params.event.added:
        session.folders[folder.uri] = folder.name
    await session.load_settings()
