"""Find the comments of a source text without parsing it.

Suppressions live in comments, and a string that merely looks like one must not count.  One regular expression
per comment style walks comments and literals alike, so neither can hide inside the other.
"""

import re
from bisect import bisect_right

from attrs import Factory, field, frozen

from assay.analyzers.findings import Position

# Alternatives are tried in order at each place; an unterminated literal ends with its line, an unterminated
# block comment with the file, as a compiler's recovery would have it.
_C = re.compile(
    r"""(?P<line>//(?:\\(?:\r\n|\n|\r)|[^\r\n])*)
    |(?P<block>/\*(?s:.*?)(?:\*/|\Z))
    |"(?:\\(?:\r\n|\n|\r|.)|[^"\\\r\n])*"?
    |'(?:\\(?:\r\n|\n|\r|.)|[^'\\\r\n])*'?""",
    re.VERBOSE,
)
_HASH = re.compile(
    r'''(?P<line>\#[^\r\n]*)
    |(?P<block>(?!))
    |"""(?s:\\.|.)*?(?:"""|\Z)
    |\'\'\'(?s:\\.|.)*?(?:\'\'\'|\Z)
    |"(?:\\(?:\r\n|\n|\r|.)|[^"\\\r\n])*"?
    |'(?:\\(?:\r\n|\n|\r|.)|[^'\\\r\n])*'?''',
    re.VERBOSE,
)
_LINE_END = re.compile(r"\r\n|\n|\r")


@frozen
class Lines:
    """The lines of a text and the way between offsets and positions; all three line ends of LSP count."""

    text: str = field(repr=False)
    starts: list[int] = field(
        init=False,
        repr=False,
        default=Factory(lambda self: [0, *(m.end() for m in _LINE_END.finditer(self.text))], takes_self=True),
    )

    def __len__(self) -> int:
        return len(self.starts)

    def position(self, offset: int) -> Position:
        """Turn an offset into a line and a column."""
        line = bisect_right(self.starts, offset) - 1
        return Position(line, offset - self.starts[line])

    def line(self, number: int) -> str:
        """Give a line without its line end; lines outside the text are empty."""
        if not 0 <= number < len(self.starts):
            return ""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[number] : end].rstrip("\r\n")


@frozen
class Piece:
    """A comment or a literal: the half-open offsets it covers."""

    kind: str
    start: int
    end: int
    text: str = field(repr=False)

    @property
    def is_comment(self) -> bool:
        """Tell comments from literals."""
        return self.kind != "literal"


def pieces(text: str, style: str) -> list[Piece]:
    """List comments (``line`` or ``block``) and string or character literals (``literal``) in order."""
    pattern = _HASH if style == "hash" else _C
    return [Piece(m.lastgroup or "literal", m.start(), m.end(), m.group()) for m in pattern.finditer(text)]
