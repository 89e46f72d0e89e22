"""Write a suppression comment into a source text without changing what the program means.

A line comment cannot follow a backslash, stand inside a string, or end a line that a block comment leaves
open; each of these has its own way out below.
"""

import re

from assay.analyzers.findings import Edit, Finding, Position, Span
from assay.features.comments import Lines, Piece, pieces
from assay.features.feature import Document
from assay.features.languages import comment_style
from assay.features.suppressions.parse import Suppression, parse

PLACEHOLDER = "explain here why this is safe"


def suppression_edit(document: Document, finding: Finding, reason: str = PLACEHOLDER) -> Edit:
    """Give the edit that silences `finding` in `document` with a comment on its line."""
    for suppression in parse(document.text, document.language):
        edit = _extended(Lines(document.text), suppression, finding)
        if edit is not None:
            return edit
    return _inserted(document, finding, reason)


def _extended(lines: Lines, suppression: Suppression, finding: Finding) -> Edit | None:
    """Add the code to a comment that already covers the finding's line."""
    if suppression.file_level or finding.span.start.line not in (suppression.lines or ()):
        return None
    start = suppression.span.start
    marker = lines.line(start.line)[start.column :]
    bracket = re.search(r"\[([^\]]*)(?=\])", marker)
    if not suppression.patterns or bracket is None:
        return None
    at = Position(start.line, start.column + bracket.end())
    return Edit(Span(at, at), f", {finding.code}")


def _inserted(document: Document, finding: Finding, reason: str) -> Edit:
    lines = Lines(document.text)
    style = comment_style(document.language)
    found = pieces(document.text, style)
    number = finding.span.start.line
    line = lines.line(number)
    end = Position(number, len(line))
    inside = _open_at(found, lines.starts[number] + len(line)) if number < len(lines) else None
    marker = f"assay: ignore[{finding.code}] {reason}"
    if style == "hash":
        return _hash_edit(finding, end, line, inside, marker)
    if line.rstrip().endswith("\\") and (inside is None or inside.start >= lines.starts[number]):
        return _before_backslash(finding, line, inside, marker)
    if inside is None or inside.kind == "line":
        return Edit(Span(end, end), f" // {marker}")
    return _at_token(finding, marker)


def _open_at(found: list[Piece], offset: int) -> Piece | None:
    """Give the comment or literal that the line end at `offset` lies in, a line comment ending there included."""
    for piece in found:
        if piece.start < offset and (offset < piece.end or (piece.kind == "line" and offset == piece.end)):
            return piece
    return None


def _hash_edit(finding: Finding, end: Position, line: str, inside: Piece | None, marker: str) -> Edit:
    continued = line.rstrip().endswith("\\") and inside is None
    if continued or (inside is not None and inside.kind == "literal"):
        indent = line[: len(line) - len(line.lstrip())]
        top = Position(finding.span.start.line, 0)
        return Edit(Span(top, top), f"{indent}# {marker}\n")
    return Edit(Span(end, end), f"  # {marker}")


def _before_backslash(finding: Finding, line: str, inside: Piece | None, marker: str) -> Edit:
    """Put a block comment before a line's continuation, unless the line's end is not code."""
    if inside is not None:
        return _at_token(finding, marker)
    code = line.rstrip()[:-1].rstrip()
    at = Position(finding.span.start.line, len(code))
    return Edit(Span(at, at), f" /* {marker} */")


def _at_token(finding: Finding, marker: str) -> Edit:
    """Put a block comment in front of the finding's first token: valid wherever a token may start."""
    at = finding.span.start
    return Edit(Span(at, at), f"/* {marker} */ ")
