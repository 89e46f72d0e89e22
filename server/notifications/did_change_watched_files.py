"""``workspace/didChangeWatchedFiles``: files changed outside the editor."""

from lsprotocol import types

from assay.server import uris
from assay.server.session import Session

SETTINGS_FILES = frozenset({"assay.toml", "pyproject.toml"})


async def handle(session: Session, params: types.DidChangeWatchedFilesParams) -> None:
    """Check everything again when settings changed, else the documents that depend on the files."""
    paths = [path for change in params.changes if (path := uris.to_path(change.uri)) is not None]
    if any(path.name in SETTINGS_FILES for path in paths):
        session.publishing.everything_changed()
        return
    for path in paths:
        session.publishing.file_changed(path)
