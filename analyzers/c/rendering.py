"""Expanded tokens written as one line, with marks that lead each of them back to the source."""

from collections.abc import Sequence

from assay.analyzers.c.lexical import Token, would_paste
from assay.analyzers.c.linemap import Mark


def render(tokens: Sequence[Token], indent: int) -> tuple[str, tuple[Mark, ...]]:
    """Write `tokens` after `indent` columns, separating only what white space separated or what would run together."""
    pieces = [" " * indent]
    marks: list[Mark] = []
    column = indent
    for index, token in enumerate(tokens):
        if index and (token.space or would_paste(tokens[index - 1], token)):
            pieces.append(" ")
            column += 1
        if not marks or token.origin.verbatim or marks[-1].origin != token.origin:
            marks.append(Mark(column, token.origin))
        pieces.append(token.text)
        column += len(token.text)
    return "".join(pieces), tuple(marks)
