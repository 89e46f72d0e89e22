"""Function definitions in the style before C89, rewritten into what the grammar knows.

Old-style parameter declarations move into the parentheses, and functions without a result type get one at the end
of the line before, so that every line and column stays where it is.
"""

import re
from collections.abc import Callable, Iterator

Replacement = tuple[int, int, str]

_OLD_PARAMETERS = re.compile(r"\(([ \t\w,\n]*)\)(\s*(?:[A-Za-z_][^;{}()=]*;\s*)+)\{")
_NO_TYPE = re.compile(r"(?<=\n)(?:(?:static|extern|inline)[ \t]+)*(\w+)[ \t]*\([^(){};=]*\)\s*\{")
_STATEMENTS = frozenset({"if", "while", "for", "switch", "else", "do", "return", "sizeof"})
_BLANK = re.compile(r"[^\n]")
_ARRAY = re.compile(r"\[\w*\]")
_WORD = re.compile(r"\w+|,")


def modernise(text: str) -> str:
    """Rewrite old-style function definitions in preprocessed C text."""
    return _replaced(_replaced(text, _parameters), _result_types)


def _replaced(text: str, replacements: Callable[[str], Iterator[Replacement]]) -> str:
    pieces: list[str] = []
    position = 0
    for start, end, replacement in replacements(text):
        pieces += text[position:start], replacement
        position = end
    return "".join([*pieces, text[position:]]) if pieces else text


def _parameters(text: str) -> Iterator[Replacement]:
    """``f(a, b) int a; char *b; {`` becomes ``f(      int a, char *b) {``, if each parameter is declared alone."""
    for match in _OLD_PARAMETERS.finditer(text):
        names = [name.strip() for name in match[1].split(",")]
        declarations = match[2].rstrip().removesuffix(";").split(";")
        if [_declared_name(declaration) for declaration in declarations] == names:
            after = match[2][len(match[2].rstrip()) :]
            yield match.start(1), match.end(), f"{_BLANK.sub(' ', match[1] + ')')}{','.join(declarations)}){after}{{"


def _declared_name(declaration: str) -> str:
    """Give the name in a declaration of one thing; the empty string if it is anything else."""
    words = _WORD.findall(_ARRAY.sub("", declaration))
    return words[-1] if len(words) > 1 and "," not in words else ""


def _result_types(text: str) -> Iterator[Replacement]:
    """``main() {`` at the start of a line, outside of all braces, is a function that gives an ``int``."""
    position = depth = 0
    for match in _NO_TYPE.finditer(text):
        start = match.start()
        depth += text.count("{", position, start) - text.count("}", position, start)
        position = start
        before = text[max(0, start - 200) : start].rstrip()[-1:]
        if depth == 0 and before in ("", ";", "}") and match[1] not in _STATEMENTS:
            yield start - 1, start, " int\n"
