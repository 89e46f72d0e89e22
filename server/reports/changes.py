"""What a fix changes, as a diff under its finding."""

from collections.abc import Iterator

from assay.analyzers.findings import Edit, Fix
from assay.features.comments import Lines
from assay.server.checking.run import CheckedFile
from assay.server.fixing.diff import CONTEXT, hunks
from assay.server.fixing.texts import Change, changed, changes_of
from assay.server.reports.cells import clean
from assay.server.reports.paint import Line
from assay.server.reports.places import Texts, path_of

_STYLES = {"+": "added", "-": "removed", "@": "gutter", " ": "", "\\": "dim"}
_INDENT = "         "


def fix_lines(file: CheckedFile, fix: Fix, texts: Texts) -> Iterator[Line]:
    """Draw the changes of a fix, file by file."""
    for path in dict.fromkeys(edit.path for edit in fix.edits):
        edits = [edit for edit in fix.edits if edit.path == path]
        if path is not None:
            yield [(_INDENT + clean(path_of(file, path)), "path")]
        lines = texts.lines(file, path)
        for line in () if lines is None else _hunks(lines, edits):
            shown = line.strip("\r\n")
            yield [(_INDENT, ""), (clean(shown), _STYLES[shown[0]])]


def _hunks(lines: Lines, edits: list[Edit]) -> Iterator[str]:
    """Compare only the lines around the edits: a file may be large and have many fixes."""
    try:
        changes = changes_of(lines, edits)
    except ValueError:  # the file changed since it was checked
        return
    start, end = _around(lines.text, changes)
    near = [Change(change.start - start, change.end - start, change.new_text) for change in changes]
    before = lines.text[start:end]
    yield from hunks(before, changed(before, near), lines.text.count("\n", 0, start))


def _around(text: str, changes: tuple[Change, ...]) -> tuple[int, int]:
    """Give the offsets of the whole lines from a little before the first change to a little after the last."""
    start = text.rfind("\n", 0, changes[0].start) + 1
    end = max(change.end for change in changes)
    for _ in range(CONTEXT):
        start = text.rfind("\n", 0, max(start - 1, 0)) + 1
    for _ in range(CONTEXT + 1):
        end = text.find("\n", end) + 1 or len(text)
    return start, end
