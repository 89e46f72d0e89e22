"""Lay source text out in terminal cells, so that carets stand under what they point at.

A tab reaches to the next stop, East Asian and emoji characters take two cells, combining ones none; characters
that could steer a terminal or reorder the line are spelled out.
"""

import unicodedata
from functools import cache

from attrs import frozen

TAB = 4
_REORDERING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@frozen
class Cells:
    """A line as drawn: one piece for each character of the source, and the cell in which each begins."""

    pieces: tuple[str, ...]
    starts: tuple[int, ...]

    @property
    def width(self) -> int:
        """The number of cells of the whole line."""
        return self.starts[-1]

    def cell(self, column: int) -> int:
        """Give the cell in which a source column begins; columns past the end count one cell each."""
        beyond = max(0, column - len(self.pieces))
        return self.starts[min(max(column, 0), len(self.pieces))] + beyond


def layout(line: str) -> Cells:
    """Lay out a line without its line end."""
    pieces: list[str] = []
    starts = [0]
    for character in line:
        piece = " " * (TAB - starts[-1] % TAB) if character == "\t" else visible(character)
        pieces.append(piece)
        starts.append(starts[-1] + sum(map(width_of, piece)))
    return Cells(tuple(pieces), tuple(starts))


@cache
def visible(character: str) -> str:
    """Give a character as it may be drawn: controls and the like become escapes."""
    category = unicodedata.category(character)
    if category in ("Cc", "Cs") or character in _REORDERING or character in "\u2028\u2029":
        code = ord(character)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    return character


def clean(text: str) -> str:
    """Make a text safe to print as part of one line."""
    return "".join(map(visible, text))


@cache
def width_of(character: str) -> int:
    """Give the number of cells of a character."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


@frozen
class Window:
    """The part of a line that fits: its text, and the cell of the line at which it begins."""

    text: str
    shift: int


def window(cells: Cells, start: int, end: int, width: int) -> Window:
    """Cut a line to `width` cells around the cells from `start` to `end`, with an ellipsis where text is left out."""
    if cells.width <= width:
        return Window("".join(cells.pieces), 0)
    first = _first_column(cells, start, end, width)
    left = "…" if first else ""
    shift = cells.starts[first] - len(left)
    last = first
    while last < len(cells.pieces) and cells.starts[last + 1] - shift <= width - 1:
        last += 1
    right = "…" if last < len(cells.pieces) else ""
    return Window(left + "".join(cells.pieces[first:last]) + right, shift)


def _first_column(cells: Cells, start: int, end: int, width: int) -> int:
    if end <= width - 1:
        return 0
    wanted = max(0, min(start - width // 4, cells.width - width + 2))
    return next(column for column, cell in enumerate(cells.starts) if cell >= wanted)
