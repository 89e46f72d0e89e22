"""Progress bars for work that takes a noticeable time.

A bar appears only after half a second, so that quick work never flickers, and its token is forgotten when the work
ends, however it ends.
"""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from attrs import define, field
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from assay.server.editor import Editor

DELAY = 0.5
"""Seconds of work before a bar appears."""

_numbers = itertools.count(1)


@define(eq=False)
class Bar:
    """One piece of work, shown or not yet; `message` at its end replaces the usual silence."""

    editor: Editor
    title: str
    cancel: Callable[[], None] | None = None
    token: str = field(factory=lambda: f"assay-{next(_numbers)}")
    begun: bool = False
    outcome: str | None = None

    async def begin(self) -> None:
        """Wait until the work is worth a bar, then show it, if the editor has bars."""
        await asyncio.sleep(DELAY)
        created = types.WorkDoneProgressCreateParams(token=self.token)
        await self.editor.protocol.ask(types.WINDOW_WORK_DONE_PROGRESS_CREATE, created, DELAY * 10)
        self.begun = True
        self._notify(types.WorkDoneProgressBegin(title=self.title, cancellable=self.cancel is not None))

    def report(self, message: str, fraction: float | None = None) -> None:
        """Tell how far the work is."""
        if self.begun:
            percentage = None if fraction is None else max(0, min(100, round(fraction * 100)))
            self._notify(types.WorkDoneProgressReport(message=message, percentage=percentage))

    def end(self) -> None:
        """Remove the bar."""
        if self.begun:
            self._notify(types.WorkDoneProgressEnd(message=self.outcome))

    def _notify(self, value: object) -> None:
        self.editor.protocol.notify(types.PROGRESS, types.ProgressParams(token=self.token, value=value))


@define(eq=False)
class Progress:
    """The bars that are shown at present."""

    editor: Editor
    _bars: dict[str, Bar] = field(factory=dict)

    @asynccontextmanager
    async def bar(self, title: str, cancel: Callable[[], None] | None = None) -> AsyncIterator[Bar]:
        """Show a bar for the time of the block; `cancel` is called when the person presses its button."""
        bar = Bar(self.editor, title, cancel)
        self._bars[bar.token] = bar
        beginning = asyncio.create_task(self._begin(bar)) if self.editor.client.progress else None
        try:
            yield bar
        finally:
            if beginning is not None:
                beginning.cancel()
            self._bars.pop(bar.token, None)
            bar.end()

    async def _begin(self, bar: Bar) -> None:
        with contextlib.suppress(JsonRpcException, TimeoutError):  # the editor has no bars after all
            await bar.begin()

    def cancel(self, token: str | int) -> None:
        """Stop the work behind a bar; a token of no bar is ignored."""
        bar = self._bars.get(str(token))
        if bar is not None and bar.cancel is not None:
            bar.cancel()
