"""Finding the headers that a file includes, each read and prepared once."""

from collections.abc import Callable, Iterator
from os.path import normpath
from pathlib import Path

from attrs import define, field

from assay.analyzers.c.sources import SourceFile, prepare


@define
class Headers:
    """Looks headers up through `read`, which gives the text of a path or None."""

    read: Callable[[Path], str | None]
    include_paths: tuple[Path, ...]
    found: dict[str, SourceFile | None] = field(factory=dict)

    def find(self, name: str, folder: Path | None) -> SourceFile | None:
        """Find a header in the including file's `folder` (None for ``<...>``), then in the include paths."""
        for path in self._candidates(name, folder):
            if path not in self.found:
                self.found[path] = self._load(path)
            source = self.found[path]
            if source is not None:
                return source
        return None

    def _candidates(self, name: str, folder: Path | None) -> Iterator[str]:
        for place in (folder, *self.include_paths):
            if place is not None:
                yield normpath(place / name)

    def _load(self, path: str) -> SourceFile | None:
        text = self.read(Path(path))
        return None if text is None else prepare(text, path)
