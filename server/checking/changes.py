"""Wait until something changes that a check may depend on."""

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from attrs import define, field

from assay.analyzers.errors import UsageError
from assay.features.languages import language_of
from assay.server.configuration import NAMES
from assay.server.sources import Stamp, absolute, explain, stamp_of, status_of

PAUSE = 200
"""Milliseconds between looks at the files outside the watched folders, such as headers in include paths."""

_NAMES = frozenset((*NAMES, ".gitignore"))

_UNKNOWN = (-1, -1, -1)
_GRAIN = 20_000_000
"""Nanoseconds by which the times of files may lag behind the clock."""


@define
class Changes:
    """Watches files and folders; what is written to `output` is no change."""

    paths: tuple[Path, ...]
    output: Path | None = None
    _others: frozenset[Path] = field(default=frozenset(), init=False)
    _stamps: dict[Path, Stamp] = field(factory=dict, init=False)

    def rounds(self, others: Callable[[], Iterable[Path]]) -> Iterator[None]:
        """Yield at once, and again after each change of the watched files or of `others`, asked anew each time.

        Raises `UsageError` when something cannot be watched.
        """
        events = self._events()
        next(events)  # from here on nothing is missed
        while True:
            began = time.time_ns() - _GRAIN
            self._stamps = {path: stamp_of(path) for path in self._stamps}
            yield
            self._others = frozenset(map(absolute, others()))
            self._stamps = {path: self._stamp_before(path, began) for path in self._outside()}
            while not any(map(self._matters, next(events))) and not self._moved():
                pass

    def _stamp_before(self, path: Path, began: int) -> Stamp:
        """Give the stamp of a file before this round began, as far as that is known now that the round is over."""
        if path in self._stamps:
            return self._stamps[path]
        stamp = stamp_of(path)
        return _UNKNOWN if stamp is not None and stamp[0] >= began else stamp

    def _events(self) -> Iterator[set[Path]]:
        """Yield what changed; what was replaced, as many editors save, is another thing and is watched anew."""
        from watchfiles import Change, watch

        roots = present = [absolute(path) for path in self.paths]
        again: set[Path] = set()
        try:
            while True:
                places = list(map(_place, roots))
                for changes in watch(*present, watch_filter=None, rust_timeout=PAUSE, yield_on_timeout=True):
                    yield {Path(name) for _, name in changes} | again
                    again = set()
                    gone = any(kind == Change.deleted and Path(name) in roots for kind, name in changes)
                    if gone or list(map(_place, roots)) != places:
                        break
                again, present = set(roots), [root for root in roots if _place(root)]
        except (OSError, RuntimeError) as error:
            reason = explain(error) if isinstance(error, OSError) else str(error)
            raise UsageError(f"The files cannot be watched. {reason}") from error

    def _matters(self, path: Path) -> bool:
        if self.output is not None and path == absolute(self.output):
            return False
        if path in map(absolute, self.paths):
            return True
        inside = [
            part for root in map(absolute, self.paths) if path.is_relative_to(root) for part in _parts(path, root)
        ]
        if any(part.startswith(".") for part in inside[:-1]) or ".git" in inside:
            return False
        return language_of(path) is not None or path.name in _NAMES or path in self._others or not path.suffix

    def _outside(self) -> Iterator[Path]:
        """Give what is not in a watched folder: the files read, and the settings of the folders above."""
        roots = [absolute(path) for path in self.paths]
        above = {folder / name for root in roots for folder in root.parents for name in NAMES}
        for path in {*self._others, *above}:
            if not any(path.is_relative_to(root) for root in roots):
                yield path

    def _moved(self) -> bool:
        return any(stamp_of(path) != stamp for path, stamp in self._stamps.items())


def _parts(path: Path, root: Path) -> tuple[str, ...]:
    return path.relative_to(root).parts


def _place(path: Path) -> tuple[int, int] | None:
    """Tell one file or folder from the next that gets its name; None when there is none."""
    status = status_of(path)
    return None if status is None else (status.st_dev, status.st_ino)
