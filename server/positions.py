"""Convert between the client's position encoding and the project's code points, and nothing else.

A client counts columns in UTF-8 bytes, UTF-16 code units or UTF-32 code points, as negotiated at
``initialize``; the project counts code points everywhere.  Lines end at LF, CRLF or a lone CR, as LSP says.
Positions outside the text are clamped to it, and a position inside a character goes to its start.
"""

import re
from collections.abc import Sequence

from attrs import frozen

from assay.analyzers.findings import Position, Span
from assay.server.encoding import Encoding

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")


def split_lines(text: str) -> list[str]:
    """Give the lines with their ends; the last has none, and is empty when the text ends with a line end."""
    lines = _LINE.findall(text)
    if not lines or lines[-1][-1] in "\r\n":
        lines.append("")
    return lines


def content(line: str) -> str:
    """Give a line without its end."""
    if line.endswith("\r\n"):
        return line[:-2]
    return line[:-1] if line.endswith(("\n", "\r")) else line


def _width(character: str, encoding: Encoding) -> int:
    point = ord(character)
    if encoding is Encoding.UTF16:
        return 1 + (point > 0xFFFF)
    return 1 + (point > 0x7F) + (point > 0x7FF) + (point > 0xFFFF)


def units(text: str, encoding: Encoding) -> int:
    """Count the units that `text`, without line ends, takes in an encoding; a lone surrogate counts as U+FFFD does."""
    if encoding is Encoding.UTF32 or text.isascii():
        return len(text)
    codec = "utf-8" if encoding is Encoding.UTF8 else "utf-16-le"
    return len(text.encode(codec, "surrogatepass")) // (1 if encoding is Encoding.UTF8 else 2)


def column_of(line: str, unit: int, encoding: Encoding) -> int:
    """Convert a column in units to one in code points, clamped to the line's content."""
    text = content(line)
    if encoding is Encoding.UTF32 or text.isascii():
        return min(unit, len(text))
    left = unit
    for column, character in enumerate(text):
        left -= _width(character, encoding)
        if left < 0:
            return column
    return len(text)


def unit_of(line: str, column: int, encoding: Encoding) -> int:
    """Convert a column in code points to one in units, clamped to the line's content."""
    return units(content(line)[: max(0, column)], encoding)


@frozen
class Converter:
    """Positions of one text in one encoding; `lines` come from `split_lines`."""

    lines: Sequence[str]
    encoding: Encoding

    def decode(self, line: int, unit: int) -> Position:
        """Turn a client's position into the project's."""
        if line >= len(self.lines):
            return Position(len(self.lines) - 1, len(self.lines[-1]))
        return Position(line, column_of(self.lines[line], unit, self.encoding))

    def encode(self, position: Position) -> tuple[int, int]:
        """Turn the project's position into (line, unit) for the client."""
        line = min(position.line, len(self.lines) - 1)
        column = position.column if line == position.line else len(self.lines[line])
        return line, unit_of(self.lines[line], column, self.encoding)

    def encode_span(self, span: Span) -> dict[str, dict[str, int]]:
        """Give a span as the JSON of an LSP range."""
        return _range(self.encode(span.start), self.encode(span.end))


def plain_range(span: Span) -> dict[str, dict[str, int]]:
    """Give a span of an unknown text as the JSON of an LSP range, counting code points."""
    return _range((span.start.line, span.start.column), (span.end.line, span.end.column))


def _range(start: tuple[int, int], end: tuple[int, int]) -> dict[str, dict[str, int]]:
    return {
        "start": {"line": start[0], "character": start[1]},
        "end": {"line": end[0], "character": end[1]},
    }
