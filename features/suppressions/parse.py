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
    """One comment: the code patterns it names, its reason, and the 0-based lines it covers.

    `lines` is None for the whole file and empty for a file-level comment too far down.  `span` covers the
    marker; `removal` what to delete to be rid of it, or None when it cannot be cut out cleanly.
    """

    patterns: tuple[str, ...]
    reason: str
    span: Span
    removal: Span | None
    lines: tuple[int, ...] | None
    file_level: bool

    def covers(self, finding: Finding) -> bool:
        """Tell whether the comment stands where it silences `finding`, whatever code it names."""
        if self.lines is None:
            return True
        spans = [finding.span, *(related.span for related in finding.related if related.path is None)]
        return any(span.start.line <= line <= span.end.line for span in spans for line in self.lines)

    def silences(self, finding: Finding) -> tuple[str, ...]:
        """Give the patterns that silence `finding`."""
        if not self.covers(finding):
            return ()
        return tuple(pattern for pattern in self.patterns if fnmatchcase(finding.code, pattern))


def parse(text: str, language: str) -> tuple[Suppression, ...]:
    """List the suppression comments of `text` in order."""
    if "assay:" not in text:
        return ()
    lines = Lines(text)
    comments = [piece for piece in pieces(text, comment_style(language)) if piece.is_comment]
    return tuple(_suppressions(lines, comments))


def _suppressions(lines: Lines, comments: list[Piece]) -> Iterator[Suppression]:
    lonely = {line for comment in comments if is_alone(lines, comment) for line in _rows(lines, comment)}
    for comment in comments:
        for match in _MARKER.finditer(comment.text):
            yield _suppression(lines, comment, match, lonely)


def _suppression(lines: Lines, comment: Piece, match: re.Match[str], lonely: set[int]) -> Suppression:
    start = comment.start + match.start() + len(match.group()) - len(match.group().lstrip())
    file_level = match["kind"] == "ignore-file"
    return Suppression(
        patterns=tuple(code for part in (match["codes"] or "").split(",") if (code := part.strip())),
        reason=match["reason"].strip().removesuffix("*/").strip(" \t:-–—"),
        span=Span(lines.position(start), lines.position(comment.start + match.end())),
        removal=_removal(lines, comment, start),
        lines=_file_lines(lines, start) if file_level else _covered(lines, comment, lonely),
        file_level=file_level,
    )


def _removal(lines: Lines, comment: Piece, marker: int) -> Span | None:
    start, end = lines.position(marker), lines.position(comment.end)
    if lines.position(comment.start).line != end.line or (comment.kind == "block" and marker != comment.start):
        return None
    if marker == comment.start and is_alone(lines, comment):
        last = end.line + 1 >= len(lines)
        return Span(Position(start.line, 0), end if last else Position(end.line + 1, 0))
    before = lines.line(start.line)[: start.column]
    trailing = not lines.line(end.line)[end.column :].strip()
    return Span(Position(start.line, len(before.rstrip())) if trailing else start, end)


def _file_lines(lines: Lines, offset: int) -> tuple[int, ...] | None:
    return None if lines.position(offset).line < FILE_LEVEL_LINES else ()


def _covered(lines: Lines, comment: Piece, lonely: set[int]) -> tuple[int, ...]:
    rows = _rows(lines, comment)
    if not is_alone(lines, comment):
        return rows
    following = rows[-1] + 1
    while following in lonely:
        following += 1
    return (*rows, following)


def _rows(lines: Lines, comment: Piece) -> tuple[int, ...]:
    return tuple(range(lines.position(comment.start).line, lines.position(comment.end).line + 1))


def is_alone(lines: Lines, comment: Piece) -> bool:
    """Tell whether a comment shares its lines with nothing but blanks."""
    start, end = lines.position(comment.start), lines.position(comment.end)
    return not lines.line(start.line)[: start.column].strip() and not lines.line(end.line)[end.column :].strip()
