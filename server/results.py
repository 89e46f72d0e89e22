"""Keeps one result for each open document: that of its newest version, or none.

Whoever wants a result shares the one analysis that is under way for it.  An edit ends the analysis of the older
version, and so does the last waiter who gives up; a result that arrives for an older version is dropped.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterator
from enum import Enum
from pathlib import Path

from attrs import define, field, frozen

from assay.analyzers.errors import WorkerError
from assay.server import jobs
from assay.server.documents import Documents, OpenDocument
from assay.server.preferences import Preferences
from assay.server.progress import Progress
from assay.server.schedule import Priority, Schedule, Ticket
from assay.server.uris import is_notebook_cell

DEBOUNCE = 0.1
"""Seconds without an edit before a changed document is analysed."""


@frozen
class Result:
    """What the analysis of one version of a document said."""

    document: OpenDocument
    checked: jobs.Checked

    @property
    def id(self) -> str:
        """Identify the diagnostics for ``textDocument/diagnostic``."""
        return f"{self.document.version}:{self.checked.digest}"


class End(Enum):
    """How an analysis can end without a result."""

    OUTDATED = "outdated"
    STOPPED = "stopped"


Done = Result | End


@define(eq=False)
class Running:
    """An analysis under way, for `interest` waiters."""

    document: OpenDocument
    done: "asyncio.Future[Done]"
    task: "asyncio.Task[None] | None" = None
    ticket: Ticket | None = None
    priority: Priority = Priority.BACKGROUND
    interest: int = 0

    def end(self, how: End) -> None:
        """End the analysis for all who wait."""
        if not self.done.done():
            self.done.set_result(how)
        if self.task is not None:
            self.task.cancel()


@define(eq=False)
class Results:
    """The results of all open documents, and the analyses that will give the missing ones.

    `settings_known` waits for the editor's settings; `on_failure` hears (uri, reason) when an analysis failed for
    good, `on_success` the result when one succeeded.
    """

    documents: Documents
    schedule: Schedule
    progress: Progress
    preferences: Preferences
    settings_known: Callable[[], Awaitable[None]]
    on_failure: Callable[[str, str], None]
    on_success: Callable[[Result], None]
    languages: frozenset[str] | None = None
    _results: dict[str, Result] = field(factory=dict)
    _running: dict[str, Running] = field(factory=dict)
    _changed: dict[str, float] = field(factory=dict)

    def known(self, uri: str) -> Result | None:
        """Give the result for the newest version, if there is one already."""
        result = self._results.get(uri)
        return result if result is not None and result.document is self.documents.get(uri) else None

    async def result(self, uri: str, priority: Priority) -> Done | None:
        """Wait for the result of the newest version, whatever it is by then; None when the document is not open."""
        while (document := self.documents.get(uri)) is not None:
            if (result := self.known(uri)) is not None:
                return result
            if not self.supports(document):
                return Result(document, jobs.Checked(0))
            if await self._join(document, priority) is End.STOPPED:
                return End.STOPPED
            # A result that has just come may be outdated already, by a message handled in between: look again.
        return None

    def touch(self, uri: str) -> None:
        """Note an edit: what is under way for the document is outdated, and the next analysis waits a moment."""
        self._changed[uri] = time.monotonic()
        self.outdate(uri)

    def outdate(self, uri: str) -> None:
        """Drop what is known about a document, and what is under way."""
        self._results.pop(uri, None)
        if (running := self._running.pop(uri, None)) is not None:
            running.end(End.OUTDATED)

    def forget(self, uri: str) -> None:
        """Drop everything about a document that was closed."""
        self.outdate(uri)
        self._changed.pop(uri, None)

    def dependents(self, path: Path) -> Iterator[str]:
        """Give the open documents whose results depend on a file."""
        for uri, result in tuple(self._results.items()):
            if path in result.checked.reads:
                yield uri

    def outdate_all(self) -> None:
        """Drop all results: the settings changed."""
        for document in self.documents:
            self.outdate(document.uri)

    # One analysis.

    def supports(self, document: OpenDocument) -> bool:
        """Tell whether any feature reads this document, as far as is known."""
        known = self.languages is None or document.language in self.languages
        return known and not document.left_out and not is_notebook_cell(document.uri)

    async def _join(self, document: OpenDocument, priority: Priority) -> Done:
        running = self._running.get(document.uri) or self._begin(document)
        running.interest += 1
        self._hurry(running, priority)
        try:
            return await asyncio.shield(running.done)
        finally:
            running.interest -= 1
            if running.interest == 0 and not running.done.done():
                self._drop(running)

    def _begin(self, document: OpenDocument) -> Running:
        loop = asyncio.get_running_loop()
        running = self._running[document.uri] = Running(document, loop.create_future())
        running.task = loop.create_task(self._run(running))
        return running

    def _drop(self, running: Running) -> None:
        if self._running.get(running.document.uri) is running:
            del self._running[running.document.uri]
        running.end(End.OUTDATED)

    def _hurry(self, running: Running, priority: Priority) -> None:
        if priority < running.priority:
            running.priority = priority
            if running.ticket is not None:
                self.schedule.raise_priority(running.ticket, priority)

    async def _run(self, running: Running) -> None:
        document = running.document
        await self._settle(document.uri)
        await self.settings_known()
        title = f"Analysing {document.uri.rsplit('/', 1)[-1]}"
        async with self.progress.bar(title, lambda: self._stop(running)) as bar:
            checked = await self._check(running, bar.report)
            bar.outcome = "partial: " + checked.skipped[0] if checked.partial and checked.skipped else None
        self._finish(running, Result(document, checked))

    async def _settle(self, uri: str) -> None:
        while (left := self._changed.get(uri, -DEBOUNCE) + DEBOUNCE - time.monotonic()) > 0:
            await asyncio.sleep(left)

    async def _check(self, running: Running, report: Callable[[str, float | None], None]) -> jobs.Checked:
        document = running.document
        scope = self.preferences.scope(document.path)
        job = jobs.Check(self.schedule.number(), document.snapshot(), scope, self.documents.encoding)
        running.ticket = ticket = self.schedule.submit(job, running.priority, report)
        try:
            checked = await ticket.outcome
            assert isinstance(checked, jobs.Checked)
        except asyncio.CancelledError:
            self.schedule.cancel(ticket)
            raise
        except WorkerError as error:
            self.on_failure(document.uri, str(error))
            return jobs.Checked(job.job, skipped=(str(error),), partial=True)
        return checked

    def _stop(self, running: Running) -> None:
        """End an analysis because the person asked for it."""
        if self._running.pop(running.document.uri, None) is running:
            running.end(End.STOPPED)

    def _finish(self, running: Running, result: Result) -> None:
        uri = running.document.uri
        if self._running.get(uri) is not running:
            return
        del self._running[uri]
        self._results[uri] = result
        with contextlib.suppress(asyncio.InvalidStateError):
            running.done.set_result(result)
        self.on_success(result)
