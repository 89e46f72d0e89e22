"""Unified diffs, as patch and git read them.

A change is small and a file may be large: equal lines at both ends are set aside before lines are compared.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

CONTEXT = 3
_NO_END = "\n\\ No newline at end of file\n"


def unified(before: str, after: str, name: str) -> str:
    """Give the diff that makes `before`, the text of the file `name`, into `after`; empty when they are equal."""
    lines = "".join(hunks(before, after))
    return f"--- {_quoted('a/' + name)}\n+++ {_quoted('b/' + name)}\n{lines}" if lines else ""


_ESCAPES = {
    ord('"'): '\\"',
    ord("\\"): "\\\\",
    7: "\\a",
    8: "\\b",
    9: "\\t",
    10: "\\n",
    11: "\\v",
    12: "\\f",
    13: "\\r",
}


def _quoted(name: str) -> str:
    """Write a file name as git does: in C quotes where it needs them, and with a tab after one that has spaces."""
    data = name.encode("utf-8", "surrogateescape")
    if any(byte in _ESCAPES or not 0x20 <= byte < 0x7F for byte in data):
        return (
            '"'
            + "".join(_ESCAPES.get(byte) or (chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}") for byte in data)
            + '"'
        )
    return name + "\t" * (" " in name)


def hunks(before: str, after: str, skipped: int = 0) -> Iterator[str]:
    """Give the lines of a diff without its head; `skipped` lines of the file precede both texts."""
    old, new = _lines(before), _lines(after)
    same = max(0, _agreeing(old, new) - CONTEXT)
    old, new = old[same:], new[same:]
    tail = max(0, _agreeing(old[::-1], new[::-1]) - CONTEXT)
    old, new = old[: len(old) - tail], new[: len(new) - tail]
    groups = SequenceMatcher(None, old, new).get_grouped_opcodes(CONTEXT)
    for group in groups:
        yield _head(group, skipped + same)
        for tag, first, last, start, end in group:
            if tag == "equal":
                yield from _marked(" ", old[first:last])
            else:
                yield from _marked("-", old[first:last])
                yield from _marked("+", new[start:end])


def _agreeing(old: Sequence[str], new: Sequence[str]) -> int:
    """Count the equal lines at the beginning."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((number for number, (left, right) in pairs if left != right), min(len(old), len(new)))


def _lines(text: str) -> list[str]:
    """Split at line feeds only, as patch does."""
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + lines[-1:] * bool(lines[-1])


def _marked(sign: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield sign + line
        if not line.endswith("\n"):
            yield _NO_END


def _head(group: Sequence[tuple[str, int, int, int, int]], skipped: int) -> str:
    first, last = group[0], group[-1]
    old, new = _range(first[1], last[2], skipped), _range(first[3], last[4], skipped)
    return f"@@ -{old} +{new} @@\n"


def _range(start: int, end: int, skipped: int) -> str:
    """Give "line,count" as in GNU diff: an empty range names the line before it, a count of 1 is left out."""
    count = end - start
    line = skipped + start + (1 if count else 0)
    return f"{line}" if count == 1 else f"{line},{count}"
