"""The open documents: exact copies of what the editor shows.

Edits arrive as ranges in the client's encoding and are applied to a list of lines.  `apply` is pure; the store
around it keeps a document only while the client has it open, and ignores edits to anything else.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from attrs import define, field, frozen

from assay.analyzers.findings import Position
from assay.features.feature import Document
from assay.features.settings import Settings
from assay.server import uris
from assay.server.encoding import Encoding
from assay.server.positions import Converter, content, split_lines

MAX_CHARACTERS = 2 * Settings().max_file_size
"""A longer text, or an edit that inserts one, is not followed: it would hold up the event loop."""

MAX_LINES = 500_000

_SURROGATE = re.compile(r"[\ud800-\udfff]")


@frozen
class Change:
    """Replace the text between two client positions, each (line, unit), by `text`; the whole when both are None."""

    text: str
    start: tuple[int, int] | None = None
    end: tuple[int, int] | None = None


def is_too_long(text: str) -> bool:
    """Tell whether a text is too long to be followed; found out without looking at each line."""
    return len(text) > MAX_CHARACTERS or text.count("\n") > MAX_LINES


def _join_surrogates(text: str) -> str:
    """Join surrogate pairs that arrived in two edits; lone ones stay."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def apply(lines: list[str], change: Change, encoding: Encoding) -> list[str]:
    """Give the lines after a change; positions outside the text are clamped, a reversed range is put in order."""
    if change.start is None or change.end is None:
        return split_lines(_join_surrogates(change.text))
    converter = Converter(lines, encoding)
    start, end = sorted((converter.decode(*change.start), converter.decode(*change.end)))
    # The line before takes part: inserting "\n" after its "\r" joins the two into one line end.
    first = max(0, start.line - 1)
    window = "".join(
        [
            *lines[first : start.line],
            lines[start.line][: start.column],
            change.text,
            lines[end.line][end.column :],
        ]
    )
    return [
        *lines[:first],
        *_split_window(_join_surrogates(window), end.line == len(lines) - 1),
        *lines[end.line + 1 :],
    ]


def _split_window(window: str, at_end: bool) -> list[str]:
    pieces = split_lines(window)
    return pieces if at_end else pieces[:-1]


@frozen(slots=False)
class OpenDocument:
    """One version of an open document; `lines` are never changed in place.

    One that is `left_out` was too long at some point: its text is unknown until the client sends it as a whole.
    """

    uri: str
    language: str
    version: int
    lines: list[str]
    left_out: bool = False

    @cached_property
    def text(self) -> str:
        """The whole text, lone surrogates included."""
        return "".join(self.lines)

    @cached_property
    def path(self) -> Path | None:
        """The file, or None for a document that was never saved."""
        return uris.to_path(self.uri)

    @property
    def name(self) -> str:
        """The last part of the URI, for messages."""
        return self.uri.rsplit("/", 1)[-1]

    @cached_property
    def clean_text(self) -> str:
        """The text with U+FFFD for lone surrogates, which takes the same room in every encoding."""
        return _SURROGATE.sub("\ufffd", self.text)

    def replaced(self, version: int, text: str) -> "OpenDocument":
        """Give a version with another text."""
        if is_too_long(text):
            return OpenDocument(self.uri, self.language, version, [""], left_out=True)
        return OpenDocument(self.uri, self.language, version, split_lines(_join_surrogates(text)))

    def changed(self, version: int, change: Change, encoding: Encoding) -> "OpenDocument":
        """Give the version after a change."""
        if change.start is None:
            return self.replaced(version, change.text)
        if self.left_out or is_too_long(change.text):
            return OpenDocument(self.uri, self.language, version, [""], left_out=True)
        lines = apply(self.lines, change, encoding)
        if len(lines) > MAX_LINES + 1 or sum(map(len, lines)) > MAX_CHARACTERS:
            return OpenDocument(self.uri, self.language, version, [""], left_out=True)
        return OpenDocument(self.uri, self.language, version, lines)

    def snapshot(self) -> Document:
        """Give what an analysis reads."""
        return Document(self.uri, self.language, self.clean_text, self.path, self.version)

    def converter(self, encoding: Encoding) -> Converter:
        """Give the position converter for this version."""
        return Converter(self.lines, encoding)

    def end(self) -> Position:
        """Give the position after the last character."""
        return Position(len(self.lines) - 1, len(content(self.lines[-1])))


@define
class Documents:
    """Every open document by URI, as the client spells it."""

    encoding: Encoding
    _open: dict[str, OpenDocument] = field(factory=dict)

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(tuple(self._open.values()))

    def get(self, uri: str) -> OpenDocument | None:
        """Give the newest version of an open document."""
        return self._open.get(uri)

    def at(self, path: Path) -> OpenDocument | None:
        """Give the open document of a file, however its URI is spelled."""
        return next((document for document in self if document.path == path), None)

    def open(self, uri: str, language: str, version: int, text: str) -> OpenDocument:
        """Take a document that the client opened; a second open replaces the first."""
        document = self._open[uri] = OpenDocument(uri, language, version, [""]).replaced(version, text)
        return document

    def change(self, uri: str, version: int, changes: Iterable[Change]) -> OpenDocument | None:
        """Apply changes in order; None when the document is not open."""
        document = self._open.get(uri)
        if document is None:
            return None
        for change in changes:
            document = document.changed(version, change, self.encoding)
        self._open[uri] = document
        return document

    def close(self, uri: str) -> OpenDocument | None:
        """Forget a document; None when it was not open."""
        return self._open.pop(uri, None)
