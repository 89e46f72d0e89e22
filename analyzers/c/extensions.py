"""Compiler extensions that carry no meaning for an analysis of data flow, taken out of the parser's way.

Attributes, assembler and spelling variants of keywords are replaced by blanks or by the plain keyword, padded
to the same length, so that every line and column stays where it was.
"""

import re
from collections.abc import Iterator

from assay.analyzers.c.lexical import CHARACTER, STRING, blank

_PLAIN = {
    "__restrict": "restrict",
    "__restrict__": "restrict",
    "__inline": "inline",
    "__inline__": "inline",
    "__const": "const",
    "__const__": "const",
    "__volatile": "volatile",
    "__volatile__": "volatile",
    "__signed": "signed",
    "__signed__": "signed",
    "_Thread_local": "thread_local",
    "__builtin_offsetof": "offsetof",
    "__extension__": "",
    "_Noreturn": "",
    "__noreturn": "",
    "_Complex": "",
    "__complex__": "",
}
_WITH_ARGUMENT = frozenset({"__attribute__", "__attribute", "__declspec", "_Pragma", "__pragma"})
_ASSEMBLER = frozenset({"asm", "__asm", "__asm__"})
_TYPE_OF = frozenset({"typeof", "__typeof", "__typeof__"})
_NAMES = sorted({*_PLAIN, *_WITH_ARGUMENT, *_ASSEMBLER, *_TYPE_OF, "_Atomic", "case"}, key=len, reverse=True)

_DIGRAPHS = {"<%": "{ ", "%>": "} ", "<:": "[ ", ":>": "] ", "%:": "# ", "%:%:": "##  "}
_DIGRAPH = re.compile(rf"%:%:|<%|%>|<:|:>|%:|{STRING}|{CHARACTER}")
_EXTENSION = re.compile(rf"\b(?:{'|'.join(_NAMES)})\b|{STRING}|{CHARACTER}")
_ANY_NAME = re.compile(rf"\b(?:{'|'.join(name for name in _NAMES if name != 'case')})\b|\bcase\b[^:;{{}}\n]*\.\.\.")
_OPEN = re.compile(r"\s*\(")
_ASSEMBLER_OPEN = re.compile(r'(?:\s|\\\n|\b(?:__)?(?:volatile|goto|inline)(?:__)?\b)*\((?=\s*")')
_CASE_RANGE = re.compile(r"case\b[^:;{}\n]*?(\.\.\.[^:;{}\n]*):")
_BALANCE = re.compile(rf"[(){{}};]|{STRING}|{CHARACTER}")
_DEFINE_BODY = re.compile(r"[ \t]*#[ \t]*define[ \t]+\w+")
_LONGEST_ARGUMENT = 16_384
_MOST_FAILURES = 100


def spell_out_digraphs(text: str) -> str:
    """Write the alternative spellings of brackets and hashes (C11, 6.4.6) as what they stand for, with blanks after."""
    if not any(digraph in text for digraph in _DIGRAPHS):
        return text
    return _DIGRAPH.sub(lambda match: _DIGRAPHS.get(match[0], match[0]), text)


def neutralise(text: str) -> str:
    """Blank out or simplify compiler extensions in a text without comments; its layout stays the same."""
    if _ANY_NAME.search(text) is None:
        return text
    pieces: list[str] = []
    position = 0
    for start, end, replacement in _replacements(text):
        pieces += text[position:start], replacement
        position = end
    return "".join([*pieces, text[position:]])


def _replacements(text: str) -> Iterator[tuple[int, int, str]]:
    position = failures = 0
    while match := _EXTENSION.search(text, position):
        position = match.end()
        if match[0][0] in "\"'" or _names_macro(text, match.start()):
            continue
        found = _replacement(text, match[0], match.start(), match.end())
        if found is not None:
            position, replacement = found
            yield match.start(), position, replacement
        elif match[0] in _WITH_ARGUMENT:
            failures += 1
            if failures == _MOST_FAILURES:  # each failure may have read far ahead
                return


def _replacement(text: str, name: str, start: int, end: int) -> tuple[int, str] | None:
    """Give the end of the extension that starts at `start`, and what stands for it; None when it stays."""
    if name in _PLAIN:
        return end, _PLAIN[name].ljust(len(name))
    if name == "case":
        return _case_range(text, start)
    pattern = _ASSEMBLER_OPEN if name in _ASSEMBLER else _OPEN
    opening = pattern.match(text, end)
    close = _closing(text, opening.end()) if opening is not None else None
    if opening is None or close is None:
        return None
    if name == "_Atomic":
        return _atomic(text, start, opening.end(), close)
    if name in _TYPE_OF:
        return close, "int" + blank(text[start + 3 : close])
    return close, blank(text[start:close])


def _case_range(text: str, start: int) -> tuple[int, str] | None:
    """``case 1 ... 5:`` is read as ``case 1:``, which the grammar knows."""
    match = _CASE_RANGE.match(text, start)
    return None if match is None else (match.end(1), text[start : match.start(1)] + blank(match[1]))


def _atomic(text: str, start: int, opening: int, close: int) -> tuple[int, str]:
    """``_Atomic(T)`` becomes ``T _Atomic`` for a pointer, on which the order matters, and ``_Atomic T`` otherwise."""
    inner = text[opening : close - 1]
    if inner.rstrip().endswith("*") and "\n" not in text[start:close]:
        return close, f"{inner} _Atomic".ljust(close - start)
    return close, text[start : opening - 1] + " " + inner + " "


def _closing(text: str, position: int) -> int | None:
    """Give the position after the parenthesis that closes the one before `position`."""
    depth = 1
    for match in _BALANCE.finditer(text, position, position + _LONGEST_ARGUMENT):
        if match[0] == "(":
            depth += 1
        elif match[0] == ")":
            depth -= 1
            if depth == 0:
                return match.end()
        elif match[0] in "{};":
            return None
    return None


def _names_macro(text: str, start: int) -> bool:
    """Tell whether the name at `start` is what a directive is about (``#define``, ``#ifdef``), not a use of it."""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    return before.lstrip().startswith("#") and _DEFINE_BODY.match(before) is None
