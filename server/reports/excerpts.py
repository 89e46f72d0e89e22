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
    frame = _Frame(lines, len(str(rows[-1] + 1)) + 1, width, symbols)
    drawn: list[Line] = [frame.bar]
    for previous, row in zip([None, *rows], rows, strict=False):
        drawn += frame.between(previous, row)
        drawn += frame.marked(row, [mark for mark in marks if mark.span.start.line == row])
    return [*drawn, frame.bar]


@frozen
class _Frame:
    """The lines of a text as drawn: numbers in a margin of some cells, a bar, and source up to a width."""

    lines: Lines
    margin: int
    width: int
    symbols: Symbols

    @property
    def bar(self) -> Line:
        """A line of the margin without a number."""
        return [(" " * self.margin, ""), (self.symbols.bar, "gutter")]

    @property
    def room(self) -> int:
        """The cells that are left for source."""
        return max(20, self.width - self.margin - 2)

    def between(self, previous: int | None, row: int) -> Iterable[Line]:
        """Show a single line that was left out, and a sign for more of them."""
        if previous is None or row - previous <= 1:
            return
        if row - previous == 2:
            view = window(layout(self.lines.line(previous + 1)), 0, 0, self.room)
            yield [*self._numbered(previous + 1), (view.text, "dim")]
        else:
            yield [(" " * self.margin, ""), (self.symbols.gap, "gutter")]

    def marked(self, row: int, marks: list[Mark]) -> Iterator[Line]:
        """Show a line, cut to what its first mark is about, and each mark below it."""
        text = self.lines.line(row)
        cells = layout(text)
        begin, end = _reach(text, min(marks, key=lambda mark: mark.sign != "^"))
        view = window(cells, cells.cell(begin), cells.cell(end), self.room)
        yield [*self._numbered(row), (view.text, "")]
        for mark in marks:
            begin, end = _reach(text, mark)
            left = min(max(0, cells.cell(begin) - view.shift), self.room - 1)
            right = min(max(left + 1, cells.cell(end) - view.shift), self.room)
            yield from self._underlined(mark, left, right)

    def _underlined(self, mark: Mark, left: int, right: int) -> Iterator[Line]:
        gutter: Line = [*self.bar, (" ", "")]
        signs = (" " * left + mark.sign * (right - left), mark.style)
        label = clean(mark.label)
        beside = self.width - self.margin - 3 - right
        if sum(map(width_of, label)) <= max(beside, 0):
            yield [*gutter, signs, *([(" " + label, mark.style)] if label else [])]
            return
        yield [*gutter, signs]
        indent = min(left, max(0, self.width - self.margin - 42))
        for line in wrapped(label, max(40, self.width - self.margin - 2 - indent)):
            yield [*gutter, (" " * indent + line, mark.style)]

    def _numbered(self, row: int) -> Line:
        return [(f"{row + 1:>{self.margin - 1}} ", "gutter"), (self.symbols.bar, "gutter"), (" ", "")]


def _reach(text: str, mark: Mark) -> tuple[int, int]:
    """Give the columns of a mark on its first line; what goes on below is underlined to the line's end."""
    start = mark.span.start.column
    end = mark.span.end.column if mark.span.end.line == mark.span.start.line else len(text.rstrip())
    return start, max(end, start + 1)
