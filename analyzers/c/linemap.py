"""What preprocessing gives, and the way back from a position in it to the source.

Inside one file every source line has its output line, so a run of lines needs one entry; only lines in which
something was expanded carry marks of their own.
"""

from bisect import bisect_right
from collections.abc import Mapping

from attrs import Factory, field, frozen

from assay.analyzers.c.lexical import Origin
from assay.analyzers.findings import Position, Skipped, Span


@frozen
class Run:
    """From output line `start` on, the lines are those of `file` from `line` on."""

    start: int
    file: int
    line: int


@frozen
class Mark:
    """From output `column` on, the text of a changed line stems from the source characters of `origin`."""

    column: int
    origin: Origin


@frozen
class Place:
    """A source position; `file` is an index into `Expanded.files`, 0 for the document itself."""

    file: int
    position: Position


@frozen
class Expanded:
    """A translation unit as the parser reads it.

    `files` has "" for the document and then the paths of the headers; `skipped` tells what was left out.
    Lines and columns are 0-based, columns in code points.
    """

    text: str = field(repr=False)
    files: tuple[str, ...] = ("",)
    skipped: tuple[Skipped, ...] = ()
    runs: tuple[Run, ...] = (Run(0, 0, 0),)
    changed: Mapping[int, tuple[Mark, ...]] = field(default=Factory(dict), repr=False)

    def inclusion(self, line: int) -> int:
        """Give the line of the document whose ``#include`` brought an output line in."""
        at = bisect_right(self.runs, line, key=lambda run: run.start) - 1
        while at > 0 and self.runs[at].file != 0:
            at -= 1
        following = self.runs[at + 1].start if at + 1 < len(self.runs) else line
        return max(self.runs[at].line + following - self.runs[at].start - 1, 0)

    def is_exact(self, line: int) -> bool:
        """Tell whether an output line has the columns of its source line."""
        return line not in self.changed

    def source_line(self, line: int) -> tuple[int, int]:
        """Give the file and the source line of an output line."""
        run = self.runs[bisect_right(self.runs, line, key=lambda run: run.start) - 1]
        return run.file, run.line + line - run.start

    def locate(self, line: int, column: int) -> Place:
        """Give the source position of an output position.

        Text that a macro put there is located at the macro's name in the source; an argument at itself.
        """
        file, source = self.source_line(line)
        marks = self.changed.get(line)
        if not marks:
            return Place(file, Position(source, column))
        mark = _mark(marks, column)
        offset = min(max(column - mark.column, 0), mark.origin.width) if mark.origin.verbatim else 0
        return Place(file, Position(mark.origin.line, mark.origin.column + offset))

    def locate_span(self, line: int, column: int, end_line: int, end_column: int) -> tuple[int, Span]:
        """Give the file and the source span of an output range; it is never empty because of an expansion."""
        start = self.locate(line, column)
        end = self._end(end_line, end_column)
        if end.file == start.file and end.position >= start.position:
            return start.file, Span(start.position, end.position)
        marks = self.changed.get(line)
        return start.file, Span(start.position, _after(_mark(marks, column)) if marks else start.position)

    def _end(self, line: int, column: int) -> Place:
        marks = self.changed.get(line)
        if not marks or column == 0:
            return self.locate(line, column)
        mark = _mark(marks, column - 1)
        after = _after(mark)
        if mark.origin.verbatim:
            after = Position(after.line, min(mark.origin.column + column - mark.column, after.column))
        return Place(self.source_line(line)[0], after)


def _mark(marks: tuple[Mark, ...], column: int) -> Mark:
    return marks[max(bisect_right(marks, column, key=lambda mark: mark.column) - 1, 0)]


def _after(mark: Mark) -> Position:
    return Position(mark.origin.line, mark.origin.column + mark.origin.width)
