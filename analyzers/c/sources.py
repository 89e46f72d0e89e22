"""A source file made ready for preprocessing, and a cursor that walks its lines."""

import re
from bisect import bisect_left

from attrs import define, field, frozen

from assay.analyzers.c.extensions import neutralise, spell_out_digraphs
from assay.analyzers.c.lexical import CHARACTER, STRING, Origin, Token, blank_comments, normalise, tokenize

_GUARD = re.compile(r"\s*#\s*(?:ifndef\s+(\w+)|if\s+!\s*defined\s*\(?\s*(\w+)\s*\)?\s*$)")
_END = re.compile(r"\s*#\s*endif\b")
_PARENTHESIS = re.compile(rf"[()]|{STRING}|{CHARACTER}")
_SPLIT_WORD = re.compile(r"\w\\\n\w")


@frozen
class SourceFile:
    """The lines of one file without comments and compiler extensions.

    `directives` are the numbers of the lines on which a directive starts; `guard` is the macro of an include guard;
    `size` is in characters.
    """

    path: str
    lines: list[str] = field(repr=False)
    directives: list[int] = field(repr=False)
    guard: str | None
    size: int
    unterminated: bool


def prepare(text: str, path: str) -> SourceFile:
    """Run the first translation phases over a text; the number of lines and the columns stay the same."""
    text, unterminated = blank_comments(normalise(text))
    lines = neutralise(spell_out_digraphs(text)).split("\n")
    directives = [
        number
        for number, line in enumerate(lines)
        if "#" in line and line.lstrip().startswith("#") and not (number and lines[number - 1].endswith("\\"))
    ]
    return SourceFile(path, lines, directives, _guard(lines, directives), len(text), unterminated)


def _guard(lines: list[str], directives: list[int]) -> str | None:
    """Find the macro that keeps a header from being read twice, by the shape of its first and last line."""
    if len(directives) < 2 or any(line.strip() for line in lines[: directives[0]]):
        return None
    match = _GUARD.match(lines[directives[0]])
    if match is None or not _END.match(lines[directives[-1]]):
        return None
    after = lines[directives[-1] + 1 :]
    return None if any(line.strip() for line in after) else match[1] or match[2]


@define
class Cursor:
    """A place in a file that is being read; `next` is the number of the line to read next."""

    source: SourceFile
    next: int = 0

    @property
    def at_end(self) -> bool:
        """Tell whether every line was read."""
        return self.next >= len(self.source.lines)

    @property
    def at_directive(self) -> bool:
        """Tell whether the next line starts a directive."""
        return self.next == self.next_directive()

    def next_directive(self) -> int:
        """Give the number of the next directive's line, or the number of lines."""
        directives = self.source.directives
        index = bisect_left(directives, self.next)
        return directives[index] if index < len(directives) else len(self.source.lines)

    def take_logical(self) -> str:
        """Read a line together with those it is spliced to."""
        lines = self.source.lines
        start = self.next
        while self.next < len(lines) - 1 and lines[self.next].endswith("\\"):
            self.next += 1
        self.next += 1
        if self.next == start + 1:
            return lines[start].removesuffix("\\")
        return "".join(line.removesuffix("\\") for line in lines[start : self.next])

    def take_tokens(self) -> list[Token]:
        """Read a logical line as tokens that know their physical lines."""
        start = self.next
        tokens = tokenize(self.take_logical(), start)
        return tokens if self.next == start + 1 else self._relocate(tokens, start)

    def _relocate(self, tokens: list[Token], start: int) -> list[Token]:
        """Give tokens of a spliced line their physical lines; one over a splice is located at its first part."""
        moved = []
        line, base, length = start, 0, self._length(start)
        for token in tokens:
            while token.origin.column - base >= length and line < self.next - 1:
                base += length
                line += 1
                length = self._length(line)
            column = token.origin.column - base
            width = min(token.origin.width, length - column)
            moved.append(token._replace(origin=Origin(line, column, width, True)))
        return moved

    def _length(self, line: int) -> int:
        return len(self.source.lines[line].removesuffix("\\"))

    def splits_word(self, start: int) -> bool:
        """Tell whether a splice since line `start` stands inside a word."""
        return _SPLIT_WORD.search("\n".join(self.source.lines[start : self.next])) is not None

    def closes(self, depth: int, patience: int) -> tuple[bool, int]:
        """Look ahead, at most `patience` lines, for the end of a call that is open at `depth`.

        Depth 0 means that its opening parenthesis must come first.  Gives the answer and the number of lines read.
        """
        lines = self.source.lines
        stop = min(self.next + patience, len(lines))
        for number in range(self.next, stop):
            line = lines[number].lstrip()
            if line.startswith("#") or line in ("", "\\"):
                continue
            if depth == 0 and not line.startswith("("):
                return False, number + 1 - self.next
            depth = _depth_after(line, depth)
            if depth < 0:
                return True, number + 1 - self.next
        return False, max(stop - self.next, 0)


def _depth_after(line: str, depth: int) -> int:
    """Count parentheses; -1 once the outermost was closed."""
    for match in _PARENTHESIS.finditer(line):
        if match[0] == "(":
            depth += 1
        elif match[0] == ")":
            depth -= 1
            if depth <= 0:
                return -1
    return depth
