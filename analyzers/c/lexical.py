"""Preprocessing tokens of C, and the text that they are cut from.

The first translation phases work on whole texts with one compiled expression each, because nearly all of a
typical file is passed on untouched; tokens are made only for lines in which a macro may be expanded.
"""

import re
from typing import NamedTuple

# An unterminated literal runs to the end of its line, as in GCC: a stray quote costs one line, and time stays linear.
STRING = r'"(?:\\[\s\S]|[^"\\\n])*+"?'
CHARACTER = r"'(?:\\[\s\S]|[^'\\\n])*+'?"

_TOKEN = re.compile(
    rf"""(\s*+)(?:
        (?P<s>(?:u8|[uUL])?{STRING})
      | (?P<c>(?:u8|[uUL])?{CHARACTER})
      | (?P<i>[^\W\d]\w*(?:\$\w*)*)
      | (?P<n>\.?[0-9](?:[eEpP][+-]|[\w.]|'(?=\w))*)
      | (?P<p>\.\.\.|<<=|>>=|\#\#|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\w\s])
    )""",
    re.VERBOSE,
)
_COMMENT = re.compile(rf"//(?:\\\n|[^\n])*+|/\*[\s\S]*?(?:\*/|\Z)|{STRING}|{CHARACTER}")
_NOT_NEWLINE = re.compile(r"[^\n]")
_TRAILING_SPLICE = re.compile(r"\\[ \t\f\v]+$", re.MULTILINE)
_DIRECTIVE_START = re.compile(r"[ \t\f\v]*#")

NO_MACROS: frozenset[str] = frozenset()


class Origin(NamedTuple):
    """The source characters behind a token: 0-based line and column, their number, and whether the token is them."""

    line: int
    column: int
    width: int
    verbatim: bool


class Token(NamedTuple):
    """A preprocessing token (a named tuple, not an attrs class: they are made by the ten thousand).

    `kind` is i(dentifier), n(umber), s(tring), c(haracter) or p(unctuator); `space` tells whether white space
    precedes it; `hide` holds the macros that must not expand it again (the hide set of Prosser's algorithm).
    """

    kind: str
    text: str
    space: bool
    origin: Origin
    hide: frozenset[str] = NO_MACROS


def blank(text: str) -> str:
    """Replace everything but line ends by spaces, so that what follows keeps its line and column."""
    return _NOT_NEWLINE.sub(" ", text)


def normalise(text: str) -> str:
    """Bring line ends to a line feed, a byte order mark to a space, and line splices to a bare backslash at the end."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.startswith("\ufeff"):
        text = " " + text[1:]
    return _TRAILING_SPLICE.sub(r"\\", text) if "\\ " in text or "\\\t" in text else text


def blank_comments(text: str) -> tuple[str, bool]:
    """Blank out comments, and tell whether the last one is unterminated."""
    if "/*" not in text and "//" not in text:
        return text, False
    unterminated = False

    def replace(match: re.Match[str]) -> str:
        nonlocal unterminated
        found = match[0]
        if found[0] != "/":
            return found
        unterminated = found[1] == "*" and not (len(found) >= 4 and found.endswith("*/"))
        blanked = blank(found)
        if "\n" in found and not unterminated and _in_directive(text, match.start()):
            return blanked.replace("\n", "\\\n")  # the directive goes on after the comment
        return blanked

    return _COMMENT.sub(replace, text), unterminated


def _in_directive(text: str, position: int) -> bool:
    start = text.rfind("\n", 0, position) + 1
    while text[start - 2 : start] == "\\\n":
        start = text.rfind("\n", 0, start - 1) + 1
    return _DIRECTIVE_START.match(text, start) is not None


def tokenize(text: str, line: int, column: int = 0) -> list[Token]:
    """Cut one logical line (without line ends) into tokens; characters outside of C become punctuators."""
    tokens = []
    for match in _TOKEN.finditer(text.rstrip()):
        kind = match.lastgroup or "p"
        found = match[kind]
        start = match.start(kind)
        tokens.append(Token(kind, found, start > match.start(), Origin(line, column + start, len(found), True)))
    return tokens


def single(text: str) -> str | None:
    """Give the kind of the one token that `text` is, or None when it is not exactly one token."""
    match = _TOKEN.match(text)
    return match.lastgroup if match is not None and match.end() == len(text) and not match[1] else None


def would_paste(left: Token, right: Token) -> bool:
    """Tell whether the two tokens, written without a space between them, would be read differently."""
    if left.kind in "in":
        return right.kind in "incs" or (left.kind == "n" and right.text[0] in ".+-")
    if left.kind == "p":
        return _starts_otherwise(left.text, right.text)
    return False


def _starts_otherwise(left: str, right: str) -> bool:
    match = _TOKEN.match(left + right[0])
    return match is None or match.end() != len(left) or left + right[0] in ("//", "/*")


def spell(tokens: list[Token]) -> str:
    """Write tokens back as text, with single spaces where white space stood (the operand of ``#``)."""
    return "".join((" " if token.space and index else "") + token.text for index, token in enumerate(tokens))
