"""The state of one conversation: everything a handler may look at or change.

Handlers are thin; what they share is here, made once when the conversation starts.
"""

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from typing import Any

from attrs import define, field

from assay.server import jobs, uris
from assay.server.client import Client
from assay.server.documents import MAX_CHARACTERS, MAX_LINES, Documents, OpenDocument
from assay.server.editor import Editor
from assay.server.preferences import Preferences, cleaned, from_options
from assay.server.progress import Progress
from assay.server.publishing import Publishing
from assay.server.results import Result, Results
from assay.server.schedule import Schedule

SETTINGS_SECONDS = 1.0
"""How long the first analysis waits for the editor's settings."""

MAX_SHARED = 50_000_000
"""Characters of open documents that an analysis process is given; it reads further ones from the disk."""

_log = logging.getLogger(__name__)


@define(eq=False)
class Session:
    """One client, its documents and what is known about them."""

    client: Client
    editor: Editor
    schedule: Schedule
    folders: dict[str, str]
    documents: Documents = field(init=False)
    preferences: Preferences = field(init=False)
    progress: Progress = field(init=False)
    results: Results = field(init=False)
    publishing: Publishing = field(init=False)
    rules: dict[str, jobs.RulePage] = field(factory=dict)
    exit_status: "asyncio.Future[int]" = field(init=False)
    _settings_ready: asyncio.Event = field(factory=asyncio.Event)
    _partial: set[tuple[str, str]] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        self.documents = Documents(self.client.encoding)
        self.preferences = Preferences(
            self._wrong_settings, self.editor.may_tell_again, from_options(self.client.options)
        )
        self.progress = Progress(self.editor)
        self.results = Results(
            self.documents,
            self.schedule,
            self.progress,
            self.preferences,
            self._settings_known,
            self._failed,
            self._succeeded,
        )
        self.publishing = Publishing(self.editor, self.results)
        self.exit_status = asyncio.get_running_loop().create_future()
        self.schedule.overlays = self._overlays
        self.schedule.on_trouble = self._trouble
        self.schedule.on_notice = self.editor.log_once
        self.schedule.on_began = self._began
        self.schedule.on_hello = self._hear
        if self.schedule.hello is not None:
            self._hear(self.schedule.hello)

    def _hear(self, hello: jobs.Hello) -> None:
        """Learn what the installed features are."""
        self.results.languages = hello.languages
        self.rules = dict(hello.rules)

    def leave(self, status: int) -> None:
        """End the conversation with an exit status; the first call counts."""
        if not self.exit_status.done():
            self.exit_status.set_result(status)

    # Settings.

    async def load_settings(self, pushed: Any = None) -> None:
        """Take the settings from the editor, by asking where it can be asked, and check again if they changed."""
        before = (self.preferences.everywhere, self.preferences.by_folder)
        answer = await self.editor.settings(tuple(self.folders))
        if answer is not None:
            paths = [uris.to_path(folder) for folder in self.folders]
            by_folder = {path: cleaned(raw) for path, raw in zip(paths, answer[1:], strict=True) if path is not None}
            self.preferences.set(cleaned(answer[0]), by_folder)
        elif isinstance(pushed, dict):
            self.preferences.set(from_options(pushed), {})
        self._settings_ready.set()
        if before != (self.preferences.everywhere, self.preferences.by_folder):
            self.publishing.everything_changed()

    async def _settings_known(self) -> None:
        """Wait until the editor told its settings, for a bounded time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SETTINGS_SECONDS):
                await self._settings_ready.wait()
        self._settings_ready.set()

    def _began(self, job: jobs.Job, began: jobs.Began) -> None:
        self.preferences.learn(job.document.path, began)

    def _wrong_settings(self, reason: str) -> None:
        self.editor.tell_once(reason, reason)

    # What analyses say.

    def _overlays(self) -> Iterator[jobs.Overlay]:
        room = MAX_SHARED
        for document in self.documents:
            room -= len(document.text)
            if document.path is not None and not document.left_out and room >= 0:
                yield jobs.Overlay(document.path, document.uri, document.clean_text)

    def _failed(self, uri: str, reason: str) -> None:
        self.editor.tell_once(f"failed {uri}", f"{uri.rsplit('/', 1)[-1]} could not be checked. {reason}")

    def followed(self, document: OpenDocument) -> None:
        """Tell once of a document whether it is too long to be followed."""
        if not document.left_out:
            self.editor.may_tell_again(f"left out {document.uri}")
            return
        self.editor.tell_once(
            f"left out {document.uri}",
            f"{document.name} is not checked while it is open: it has more than {MAX_CHARACTERS:,} characters or "
            f"{MAX_LINES:,} lines. Split it, or check it with `assay check` and a larger `max-file-size`.",
        )

    def _succeeded(self, result: Result) -> None:
        uri = result.document.uri
        if not result.checked.partial:
            self.editor.may_tell_again(f"failed {uri}")
        for reason in result.checked.skipped:
            if (uri, reason) not in self._partial:
                self._partial.add((uri, reason))
                self.editor.log(f"{uri}: {reason}")

    def forget(self, uri: str) -> None:
        """Drop everything about a closed document."""
        self.results.forget(uri)
        self._partial = {said for said in self._partial if said[0] != uri}

    def _trouble(self, reason: str) -> None:
        _log.warning(reason)
        self.editor.log(reason)
