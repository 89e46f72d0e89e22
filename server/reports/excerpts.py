"""Source excerpts: the lines a finding is about, each underlined and labelled."""

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from assay.analyzers.findings import Span
from assay.features.comments import Lines
from assay.server.reports.cells import clean, layout, width_of, window
from assay.server.reports.paint import Line, Symbols, wrapped


@frozen
class Mark:
    """A span to underline, its label, and the style and sign that tell the primary place from the others."""

    span: Span
    label: str
    style: str
    sign: str


def excerpt(lines: Lines, marks: Sequence[Mark], width: int, symbols: Symbols) -> list[Line]:
    """Draw every marked line once, in order, with its marks below it; a gap between them shows as such."""
    rows = sorted({mark.span.start.line for mark in marks})
    margin = len(str(rows[-1] + 1)) + 1
    bar: Line = [(" " * margin, ""), (symbols.bar, "gutter")]
    drawn: list[Line] = [bar]
    for previous, row in zip([None, *rows], rows, strict=False):
        drawn += _between(lines, previous, row, margin, width, symbols)
        own = [mark for mark in marks if mark.span.start.line == row]
        drawn += _row(lines.line(row), row, own, margin, width, symbols)
    return [*drawn, bar]


def _between(lines: Lines, previous: int | None, row: int, margin: int, width: int, symbols: Symbols) -> Iterable[Line]:
    """Show a single line that was left out, and a sign for more of them."""
    if previous is None or row - previous <= 1:
        return
    if row - previous == 2:
        yield _source(lines.line(previous + 1), previous + 1, margin, width, symbols)
    else:
        yield [(" " * margin, ""), (symbols.gap, "gutter")]


def _row(text: str, row: int, marks: list[Mark], margin: int, width: int, symbols: Symbols) -> Iterator[Line]:
    cells = layout(text)
    room = max(20, width - margin - 2)
    first = min(marks, key=lambda mark: mark.sign != "^")
    begin, end = _reach(text, first)
    view = window(cells, cells.cell(begin), cells.cell(end), room)
    yield [*_number(row, margin, symbols), (view.text, "")]
    for mark in marks:
        begin, end = _reach(text, mark)
        left = min(max(0, cells.cell(begin) - view.shift), room - 1)
        right = min(max(left + 1, cells.cell(end) - view.shift), room)
        yield from _underline(mark, left, right, margin, width, symbols)


def _reach(text: str, mark: Mark) -> tuple[int, int]:
    """Give the columns of a mark on its first line; what goes on below is underlined to the line's end."""
    start = mark.span.start.column
    end = mark.span.end.column if mark.span.end.line == mark.span.start.line else len(text.rstrip())
    return start, max(end, start + 1)


def _underline(mark: Mark, left: int, right: int, margin: int, width: int, symbols: Symbols) -> Iterator[Line]:
    gutter: Line = [(" " * margin, ""), (symbols.bar, "gutter"), (" ", "")]
    signs = (" " * left + mark.sign * (right - left), mark.style)
    label = clean(mark.label)
    beside = width - margin - 3 - right
    if sum(map(width_of, label)) <= max(beside, 0):
        yield [*gutter, signs, *([(" " + label, mark.style)] if label else [])]
        return
    yield [*gutter, signs]
    indent = min(left, max(0, width - margin - 42))
    for line in wrapped(label, max(40, width - margin - 2 - indent)):
        yield [*gutter, (" " * indent + line, mark.style)]


def _source(text: str, row: int, margin: int, width: int, symbols: Symbols) -> Line:
    view = window(layout(text), 0, 0, max(20, width - margin - 2))
    return [*_number(row, margin, symbols), (view.text, "dim")]


def _number(row: int, margin: int, symbols: Symbols) -> Line:
    return [(f"{row + 1:>{margin - 1}} ", "gutter"), (symbols.bar, "gutter"), (" ", "")]
