"""``initialized``: the client is ready to be asked."""

import asyncio

from lsprotocol import types

from assay.server.session import Session

WATCHED = ("**/assay.toml", "**/pyproject.toml", "**/*.h")
"""Files whose change changes results: settings, and headers that are not open."""


async def handle(session: Session, params: types.InitializedParams) -> None:
    """Ask for the settings and for news about them, and get an analysis process ready."""
    session.schedule.prestart()
    await asyncio.gather(session.load_settings(), session.editor.register(*_registrations(session)))


def _registrations(session: Session) -> list[types.Registration]:
    wanted: list[types.Registration] = []
    if session.client.watch_configuration:
        method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
        options: object = types.DidChangeConfigurationRegistrationOptions(section="assay")
        wanted.append(types.Registration("assay-configuration", method, options))
    if session.client.watch_files:
        watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in WATCHED]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
        wanted.append(types.Registration("assay-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
    return wanted
