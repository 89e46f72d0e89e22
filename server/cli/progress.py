"""A progress bar on a terminal, for runs that take long enough to wonder."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from attrs import define

from assay.server.reports.paint import is_terminal

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 1.0
"""Seconds before a bar appears: most runs are over by then."""


@contextmanager
def progress(stream: TextIO) -> Iterator[Callable[[int, int], None]]:
    """Give a function that is told (done, total); it draws only if `stream` is a terminal."""
    bar = _Bar(stream, time.monotonic() + PATIENCE)
    try:
        yield bar.tell if is_terminal(stream) else lambda done, total: None
    finally:
        bar.close()


@define
class _Bar:
    stream: TextIO
    appears: float
    _drawn: "Progress | None" = None
    _task: "TaskID | None" = None
    _refreshed: float = 0.0

    def tell(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self.appears or now - self._refreshed < 0.1:
            return
        self._refreshed = now
        if self._drawn is None:
            self._open()
        if self._drawn is not None and self._task is not None:
            self._drawn.update(self._task, completed=done, total=total)
            self._drawn.refresh()

    def _open(self) -> None:
        """Draw without a refreshing thread: worker processes are forked while the bar is shown."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("Checking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._drawn = Progress(*columns, console=Console(file=self.stream), auto_refresh=False, transient=True)
        self._task = self._drawn.add_task("check", total=None)
        self._drawn.start()

    def close(self) -> None:
        if self._drawn is not None:
            self._drawn.stop()
