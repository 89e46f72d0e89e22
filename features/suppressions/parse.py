"""Read the suppression comments of a text: which codes, which lines, what reason."""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from attrs import frozen

from assay.analyzers.findings import Finding, Position, Span
from assay.features.comments import Lines, Piece, pieces
from assay.features.languages import comment_style

FILE_LEVEL_LINES = 30
"""An ``ignore-file`` comment counts only in this many first lines, where a reader will see it."""

_MARKER = re.compile(
    r"""(?://+|/\*+|\#+|^[ \t]*\*)[!<]?\s*             # opens a comment, or continues one
    assay:[ \t]*(?P<kind>ignore-file|ignore)(?![\w-])
    [ \t]*(?:\[(?P<codes>[^\]\r\n]*)\])?(?P<reason>[^\r\n]*)""",
    re.VERBOSE | re.MULTILINE,
)


@frozen
class Suppression:
    """One comment: the code patterns it names, its reason, and the 0-based lines with code that it covers.

    `lines` is None for the whole file and empty for a file-level comment too far down.  `span` covers the
    marker; `places` each pattern; `removal` what to delete to be rid of it, or None when it cannot be cut out
    cleanly.
    """

    patterns: tuple[str, ...]
    places: tuple[Span, ...]
    reason: str
    span: Span
    removal: Span | None
    lines: tuple[int, ...] | None
    file_level: bool

    def covers(self, finding: Finding) -> bool:
        """Tell whether the comment stands where it silences `finding`, whatever code it names."""
        if self.lines is None:
            return True
        return any(span.start.line <= line <= span.end.line for span in finding.own_spans for line in self.lines)

    def silences(self, finding: Finding) -> tuple[str, ...]:
        """Give the patterns that silence `finding`."""
        if not self.covers(finding):
            return ()
        return tuple(pattern for pattern in self.patterns if matches(finding.code, pattern))


def matches(code: str, pattern: str) -> bool:
    """Tell whether a pattern of a suppression names a code; most are plain codes, which are quick to compare."""
    return code == pattern or (not _WILD.isdisjoint(pattern) and fnmatchcase(code, pattern))


_WILD = frozenset("*?[")


def parse(text: str, language: str) -> tuple[Suppression, ...]:
    """List the suppression comments of `text` in order."""
    if "assay:" not in text:
        return ()
    lines = Lines(text)
    comments = [piece for piece in pieces(text, comment_style(language)) if piece.is_comment]
    return tuple(_suppressions(lines, comments))


def _suppressions(lines: Lines, comments: list[Piece]) -> Iterator[Suppression]:
    ends = _ends({line for comment in comments if is_alone(lines, comment) for line in _rows(lines, comment)})
    for comment in comments:
        for match in _MARKER.finditer(comment.text):
            yield _suppression(lines, comment, match, ends)


def _ends(lonely: set[int]) -> dict[int, int]:
    """Give, for each line that holds nothing but a comment, the next line that holds something else."""
    ends: dict[int, int] = {}
    for line in sorted(lonely, reverse=True):
        ends[line] = ends.get(line + 1, line + 1)
    return ends


def _suppression(lines: Lines, comment: Piece, match: re.Match[str], ends: dict[int, int]) -> Suppression:
    start = comment.start + match.start() + len(match.group()) - len(match.group().lstrip())
    file_level = match["kind"] == "ignore-file"
    patterns = list(_patterns(match, lines.position(comment.start + max(0, match.start("codes")))))
    return Suppression(
        patterns=tuple(pattern for pattern, _ in patterns),
        places=tuple(place for _, place in patterns),
        reason=match["reason"].strip().removesuffix("*/").strip(" \t:-–—"),
        span=Span(lines.position(start), lines.position(comment.start + match.end())),
        removal=_removal(lines, comment, start),
        lines=_file_lines(lines, start) if file_level else _covered(lines, comment, ends),
        file_level=file_level,
    )


def _patterns(match: re.Match[str], start: Position) -> Iterator[tuple[str, Span]]:
    """Give each pattern between the brackets, which begin at `start` and end on the same line, and its place."""
    column = start.column
    for part in (match["codes"] or "").split(","):
        if pattern := part.strip():
            begin = column + len(part) - len(part.lstrip())
            yield pattern, Span.of(start.line, begin, start.line, begin + len(pattern))
        column += len(part) + 1


def _removal(lines: Lines, comment: Piece, marker: int) -> Span | None:
    start, end = lines.position(marker), lines.position(comment.end)
    if lines.position(comment.start).line != end.line or (comment.kind == "block" and marker != comment.start):
        return None
    if marker == comment.start and is_alone(lines, comment):
        last = end.line + 1 >= len(lines)
        return Span(Position(start.line, 0), end if last else Position(end.line + 1, 0))
    before = lines.position(_before_blanks(lines.text, marker))
    return Span(before if _ends_line(lines.text, comment.end) else start, end)


def _file_lines(lines: Lines, offset: int) -> tuple[int, ...] | None:
    return None if lines.position(offset).line < FILE_LEVEL_LINES else ()


def _covered(lines: Lines, comment: Piece, ends: dict[int, int]) -> tuple[int, ...]:
    """Give the lines of a comment beside which there can be code, and the one below it when it stands alone."""
    first, last = lines.position(comment.start).line, lines.position(comment.end).line
    own = (first,) if first == last else (first, last)
    return (*own, ends[last]) if is_alone(lines, comment) else own


def _rows(lines: Lines, comment: Piece) -> range:
    return range(lines.position(comment.start).line, lines.position(comment.end).line + 1)


def is_alone(lines: Lines, comment: Piece) -> bool:
    """Tell whether a comment shares its lines with nothing but blanks."""
    start = _before_blanks(lines.text, comment.start)
    return (start == 0 or lines.text[start - 1] in "\r\n") and _ends_line(lines.text, comment.end)


def _before_blanks(text: str, offset: int) -> int:
    """Give where the blanks before an offset begin, on the same line."""
    while offset > 0 and text[offset - 1].isspace() and text[offset - 1] not in "\r\n":
        offset -= 1
    return offset


def _ends_line(text: str, offset: int) -> bool:
    """Tell whether nothing but blanks follows an offset on its line."""
    while offset < len(text) and text[offset].isspace() and text[offset] not in "\r\n":
        offset += 1
    return offset == len(text) or text[offset] in "\r\n"
