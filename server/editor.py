"""What the server says to the editor on its own: messages, settings requests, edits, refreshes.

Everything here is bounded: an editor that never answers costs a few seconds of waiting and nothing else.
"""

import logging
from typing import Any

from attrs import define, field
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from assay.server.client import Client
from assay.server.messages import RawJson
from assay.server.protocol import Protocol

ANSWER_SECONDS = 5.0
"""How long the editor's answer is waited for."""

EDIT_SECONDS = 60.0
"""How long a person may take to confirm an edit."""

_log = logging.getLogger(__name__)


@define(eq=False)
class Editor:
    """The client, seen from the handlers."""

    client: Client
    protocol: Protocol
    _told: set[str] = field(factory=set)

    def log(self, text: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Write to the editor's log for Assay."""
        self.protocol.notify(types.WINDOW_LOG_MESSAGE, types.LogMessageParams(type=kind, message=text))

    def show(self, text: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Show a message to the person."""
        self.protocol.notify(types.WINDOW_SHOW_MESSAGE, types.ShowMessageParams(type=kind, message=text))

    def tell_once(self, key: str, text: str) -> None:
        """Show a warning the first time, and only log it when it repeats."""
        if key in self._told:
            self.log(text, types.MessageType.Warning)
        else:
            self._told.add(key)
            self.show(text, types.MessageType.Warning)

    def log_once(self, text: str) -> None:
        """Write a warning to the log, the first time only."""
        if text not in self._told:
            self._told.add(text)
            self.log(text, types.MessageType.Warning)

    def may_tell_again(self, key: str) -> None:
        """Show the next warning of this key: the matter was settled in between."""
        self._told.discard(key)

    async def ask(self, method: str, params: Any, seconds: float = ANSWER_SECONDS) -> Any:
        """Send a request; None when the editor refuses or does not answer."""
        try:
            return await self.protocol.ask(method, params, seconds)
        except (JsonRpcException, TimeoutError) as error:
            _log.info("the editor did not do `%s`: %s", method, error or "no answer")
            return None

    def publish(self, diagnostics: bytes, uri: str, version: int | None) -> None:
        """Push the diagnostics of a document, computed for exactly that version."""
        head = {"uri": uri} | ({} if version is None else {"version": version})
        self.protocol.notify_raw(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, RawJson.object(head, diagnostics=diagnostics))

    async def settings(self, folders: tuple[str, ...]) -> list[Any] | None:
        """Ask for the settings outside folders and in each folder; None when the editor cannot tell."""
        if not self.client.configuration:
            return None
        items = [types.ConfigurationItem(section="assay")]
        items += [types.ConfigurationItem(section="assay", scope_uri=folder) for folder in folders]
        answer = await self.ask(types.WORKSPACE_CONFIGURATION, types.ConfigurationParams(items=items))
        return list(answer) if answer is not None and len(answer) == len(items) else None

    async def register(self, *registrations: types.Registration) -> None:
        """Ask the editor to send further notifications."""
        if registrations:
            params = types.RegistrationParams(registrations=list(registrations))
            await self.ask(types.CLIENT_REGISTER_CAPABILITY, params)

    async def pull_again(self) -> None:
        """Ask the editor to pull all diagnostics anew."""
        if self.client.pull and self.client.pull_refresh:
            await self.ask(types.WORKSPACE_DIAGNOSTIC_REFRESH, None)

    async def apply(self, label: str, edit: types.WorkspaceEdit) -> bool:
        """Ask the editor to apply an edit; tells whether it did."""
        if not self.client.apply_edit:
            return False
        params = types.ApplyWorkspaceEditParams(edit=edit, label=label)
        answer = await self.ask(types.WORKSPACE_APPLY_EDIT, params, EDIT_SECONDS)
        return bool(answer and answer.applied)

    async def open_page(self, url: str) -> bool:
        """Ask the editor to open a page in the browser; tells whether it did."""
        if not self.client.show_document:
            return False
        params = types.ShowDocumentParams(uri=url, external=True)
        answer = await self.ask(types.WINDOW_SHOW_DOCUMENT, params)
        return bool(answer and answer.success)
