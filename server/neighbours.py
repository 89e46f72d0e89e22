"""The files around a document, as an analysis sees them: the editor's text first, then the disk's.

Every path asked for is recorded, found or not: the result of an analysis depends on all of them.
"""

from collections.abc import Mapping
from pathlib import Path

from attrs import define, field

from assay.server import jobs, uris
from assay.server.sources import absolute, read_neighbour


@define
class Neighbours:
    """What the editor has open, and what the current job has asked for."""

    _overlays: dict[Path, jobs.Overlay] = field(factory=dict)
    _reads: dict[Path, str | None] = field(factory=dict)

    def overlay(self, overlay: jobs.Overlay) -> None:
        """Take, replace or drop the editor's text of a file."""
        if overlay.text is None:
            self._overlays.pop(overlay.path, None)
        else:
            self._overlays[overlay.path] = overlay

    def forget(self) -> None:
        """Drop what a job that is done asked for."""
        self._reads.clear()

    def texts(self) -> Mapping[Path, str | None]:
        """Give every path that the current job asked for, with the text that it got."""
        return self._reads

    def read(self, path: Path, limit: int) -> str | None:
        """Give the text of a file of at most `limit` bytes, or None; one job sees one text of it."""
        path = absolute(path)
        if path not in self._reads:
            overlay = self._overlays.get(path)
            self._reads[path] = overlay.text if overlay else read_neighbour(path, limit)
        return self._reads[path]

    def uri_of(self, path: Path) -> str:
        """Give the URI of a file as the client spells it, where it has the file open."""
        path = absolute(path)
        overlay = self._overlays.get(path)
        return overlay.uri if overlay else uris.from_path(path)
