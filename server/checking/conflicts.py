"""Marks that git leaves in a file where a merge needs a person: a commit of them is never meant.

Source: git-merge(1), "How conflicts are presented".
"""

from collections.abc import Iterator

from attrs import evolve

from assay.analyzers.findings import Skipped, Span
from assay.features.comments import Lines
from assay.server.checking.changed import ChangedLines, overlaps
from assay.server.checking.run import CheckedFile, Run
from assay.server.reports.places import Texts

_OPENS, _DIVIDES, _CLOSES = "<<<<<<<", "=======", ">>>>>>>"


def refuse_conflicts(run: Run, changed: ChangedLines | None) -> Run:
    """Make an error of each file with a conflict on a changed line (None: on any line)."""
    texts = Texts()
    return evolve(run, files=tuple(_refused(file, texts.lines(file), changed) for file in run.files))


def _refused(file: CheckedFile, lines: Lines | None, changed: ChangedLines | None) -> CheckedFile:
    left = [] if lines is None else list(conflicts(lines))
    if left and changed is not None:
        known = changed.of(file.path)
        left = [span for span in left if overlaps(span, known)]
    if not left:
        return file
    skipped = tuple(Skipped(_reason(span), span) for span in left)
    return evolve(file, report=evolve(file.report, skipped=(*skipped, *file.report.skipped)), fatal=True)


def _reason(span: Span) -> str:
    place = f"lines {span.start.line + 1} to {span.end.line + 1}"
    return f"An unresolved merge conflict is in {place}. Resolve it, and `git add` the file."


def conflicts(lines: Lines) -> Iterator[Span]:
    """Give the place of each conflict: from its first mark to its last, with a line between the sides."""
    opened: int | None = None
    divided = False
    for number in range(len(lines)):
        line = lines.line(number)
        if _is_mark(line, _OPENS):
            opened, divided = number, False
        elif opened is not None and _is_mark(line, _DIVIDES):
            divided = True
        elif opened is not None and divided and _is_mark(line, _CLOSES):
            yield Span.of(opened, 0, number, len(line))
            opened = None


def _is_mark(line: str, mark: str) -> bool:
    return line.rstrip() == mark or line.startswith(mark + " ")
