"""Brings results to the editor without being asked, and asks it to pull again when results changed by themselves.

An editor that can pull gets no pushed diagnostics; every other gets the diagnostics of each version, with the
version, and an empty list when it closes the document.
"""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from attrs import define, field

from assay.server.editor import Editor
from assay.server.results import Result, Results
from assay.server.schedule import Priority

REFRESH_DELAY = 0.2
"""Seconds for which reasons to pull again are collected."""


@define(eq=False)
class Publishing:
    """One pushing task for each open document, if the editor cannot pull."""

    editor: Editor
    results: Results
    _pushing: dict[str, "asyncio.Task[None]"] = field(factory=dict)
    _refreshing: "asyncio.Task[None] | None" = None

    def keep(self, uri: str, priority: Priority = Priority.VISIBLE) -> None:
        """Push the result of the newest version of a document, once it is there."""
        if self.editor.client.pull:
            return
        pushing = self._pushing.get(uri)
        if pushing is None or pushing.done():
            self._pushing[uri] = asyncio.get_running_loop().create_task(self._push(uri, priority))

    async def _push(self, uri: str, priority: Priority) -> None:
        done = await self.results.result(uri, priority)
        if isinstance(done, Result):
            self.editor.publish(done.checked.diagnostics, uri, done.document.version)

    def clear(self, uri: str) -> None:
        """Take back what was pushed for a document that was closed."""
        if self.editor.client.pull:
            return
        if (pushing := self._pushing.pop(uri, None)) is not None:
            pushing.cancel()
        self.editor.publish(b"[]", uri, None)

    def recheck(self, uris: Iterable[str]) -> None:
        """Check documents again although nobody edited them."""
        for uri in uris:
            self.results.touch(uri)
            self.keep(uri, Priority.BACKGROUND)
            self._refresh_soon()

    def file_changed(self, path: Path | None) -> None:
        """Check the documents again whose results depend on a file."""
        if path is not None:
            self.recheck(tuple(self.results.dependents(path)))

    def everything_changed(self) -> None:
        """Check all documents again: the settings changed."""
        self.results.outdate_all()
        for document in self.results.documents:
            self.keep(document.uri, Priority.BACKGROUND)
        self._refresh_soon()

    def _refresh_soon(self) -> None:
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = asyncio.get_running_loop().create_task(self._refresh())

    async def _refresh(self) -> None:
        await asyncio.sleep(REFRESH_DELAY)
        await self.editor.pull_again()
