"""A source file as text that can be written back byte for byte, and edits of such texts."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from attrs import frozen

from assay.analyzers.findings import Edit, Position
from assay.features.comments import Lines
from assay.server.sources import MARKS

_CODECS = ((b"", "utf-8"), *MARKS, (b"", "latin-1"))


@frozen
class Encoding:
    """How a text becomes bytes: a mark in front, and a codec."""

    mark: bytes
    codec: str

    def encode(self, text: str) -> bytes:
        """Give the bytes of a text; raises `UnicodeEncodeError` for characters that the codec lacks."""
        return self.mark + text.encode(self.codec)


def encoding_of(data: bytes, text: str) -> Encoding | None:
    """Find the encoding in which `text` is exactly `data`; None when there is none."""
    return next((found for mark, codec in _CODECS if _gives(found := Encoding(mark, codec), text, data)), None)


def _gives(encoding: Encoding, text: str, data: bytes) -> bool:
    try:
        return encoding.encode(text) == data
    except UnicodeEncodeError:
        return False


@frozen(order=True)
class Change:
    """Replace the characters from offset `start` to `end` by `new_text`."""

    start: int
    end: int
    new_text: str

    def meets(self, other: "Change") -> bool:
        """Tell whether the changes touch the same characters or the same place between two."""
        return self.start <= other.end and other.start <= self.end


def changes_of(lines: Lines, edits: Iterable[Edit]) -> tuple[Change, ...]:
    """Turn the edits of a text into changes in order; raises `ValueError` for places outside the text."""
    made = (Change(_offset(lines, edit.span.start), _offset(lines, edit.span.end), edit.new_text) for edit in edits)
    ordered = tuple(sorted(made))
    if any(change.start > change.end for change in ordered):
        raise ValueError("an edit ends before it starts")
    if any(change.end > after.start for change, after in pairwise(ordered)):
        raise ValueError("two edits overlap")
    return ordered


def changed(text: str, changes: Iterable[Change]) -> str:
    """Apply changes that do not overlap, in order."""
    parts: list[str] = []
    position = 0
    for change in changes:
        if change.start < position:
            raise ValueError("two edits overlap")
        parts += text[position : change.start], change.new_text
        position = change.end
    return "".join([*parts, text[position:]])


def _offset(lines: Lines, place: Position) -> int:
    if not 0 <= place.line < len(lines):
        raise ValueError(f"there is no line {place.line + 1}")
    offset = lines.starts[place.line] + place.column
    if offset > len(lines.text):
        raise ValueError(f"line {place.line + 1} has no column {place.column + 1}")
    return offset


def moved(wanted: Iterable[int], lines: Lines, changes: Iterable[Change]) -> Iterator[int]:
    """Give where 0-based lines of a text, in order, are after changes to it."""
    spans = [
        (lines.position(change.start).line, lines.position(change.end).line, len(Lines(change.new_text)) - 1)
        for change in changes
    ]
    number, shift = 0, 0
    for line in wanted:
        while number < len(spans) and spans[number][1] <= line and spans[number][0] < line:
            first, last, added = spans[number]
            shift += added - (last - first)
            number += 1
        inside = number < len(spans) and spans[number][0] < line
        yield line + shift + (spans[number][2] - (line - spans[number][0]) if inside else 0)
