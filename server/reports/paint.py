"""Print styled lines: in colour on a terminal, plain everywhere else, unless the environment asks otherwise.

``NO_COLOR`` (no-color.org) wins over ``FORCE_COLOR`` (force-color.org), and both over what the stream is; a terminal
that calls itself dumb gets no colour.  A variable that is set to nothing does not count.
"""

import os
import shutil
import textwrap
from collections.abc import Iterable
from typing import TextIO

from attrs import frozen

Line = list[tuple[str, str]]
"""Pieces of (text, name of a style)."""

STYLES = {
    "": "",
    "path": "bold",
    "error": "bold red",
    "warning": "bold yellow",
    "information": "bold cyan",
    "hint": "bold blue",
    "message": "bold",
    "primary": "bold red",
    "secondary": "bold blue",
    "gutter": "blue",
    "note": "bold green",
    "dim": "dim",
    "good": "bold green",
    "added": "green",
    "removed": "red",
}
PLAIN_WIDTH = 100
HANGING = 4
LEAST_ROOM = 20
"""Characters left in a line that are worth beginning a text in."""


@frozen
class Symbols:
    """The characters of the drawing; plain ones where the output cannot show others."""

    bar: str = "│"
    gap: str = "┆"


def symbols_for(stream: TextIO) -> Symbols:
    """Choose symbols that the stream's encoding has."""
    try:
        "│┆…".encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return Symbols("|", ":")
    return Symbols()


def is_terminal(stream: TextIO) -> bool:
    """Tell whether someone is looking at the stream as it is written."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def width_for(stream: TextIO) -> int:
    """Give the number of cells to fill: the terminal's, or a fixed one for files and pipes."""
    return max(50, shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns) if is_terminal(stream) else PLAIN_WIDTH


def is_coloured(stream: TextIO) -> bool:
    """Tell whether to write in colour."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or is_terminal(stream)


def write(lines: Iterable[Line], stream: TextIO) -> None:
    """Print lines, in colour where that is wanted."""
    if is_coloured(stream):
        _write_coloured(lines, stream)
        return
    for line in lines:
        stream.write(_plain(line))


def plain(lines: Iterable[Line]) -> str:
    """Give lines as text without colour."""
    return "".join(map(_plain, lines))


def _plain(line: Line) -> str:
    return "".join(text for text, _ in line).rstrip() + "\n"


def _write_coloured(lines: Iterable[Line], stream: TextIO) -> None:
    from rich.console import Console  # 60 ms, and only a terminal needs it
    from rich.text import Text

    console = Console(file=stream, force_terminal=True, color_system="standard", highlight=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*((text, STYLES[style]) for text, style in line)), soft_wrap=True)


def hanging(text: str, width: int, taken: int) -> list[str]:
    """Break one paragraph into lines of at most `width` characters, `taken` of which the first line holds already.

    The first line is empty where hardly any room is left in it; the others are indented.
    """
    indent = " " * HANGING
    start = " " * taken if taken + LEAST_ROOM <= width else ""
    lines = textwrap.wrap(
        text, width, initial_indent=start or indent, subsequent_indent=indent, break_on_hyphens=False
    ) or [start]
    return [lines[0][taken:], *lines[1:]] if start else ["", *lines]


def wrapped(text: str, width: int) -> list[str]:
    """Break a text into lines of at most `width` characters, paragraph by paragraph."""
    lines = [textwrap.wrap(part, width, break_on_hyphens=False) or [""] for part in text.splitlines()]
    return [line for part in lines for line in part]
