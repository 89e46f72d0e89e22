"""Say on which line a key of a TOML document stands, which ``tomllib`` does not.

A scan over lines is enough, since it only runs on documents that ``tomllib`` has accepted, and only to point at a
mistake: a key inside an inline table is reported on the line of that table.
"""

import re
import tomllib

_HEADER = re.compile(r"\s*\[\[?(?P<name>[^\[\]]+)\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*(?P<name>(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")


def line_of(text: str, keys: tuple[str, ...]) -> int:
    """Give the 1-based line that sets `keys`, or the nearest table around it (1 when there is none)."""
    table: tuple[str, ...] = ()
    best = (0, 1)
    for number, line in enumerate(text.split("\n"), start=1):  # other characters end no line in TOML
        if header := _HEADER.match(line):
            table = _parts(header["name"])
            here = table
        elif key := _KEY.match(line):
            here = table + _parts(key["name"])
        else:
            continue
        if here == keys[: len(here)] and len(here) > best[0]:
            best = (len(here), number)
    return best[1]


def _parts(dotted: str) -> tuple[str, ...]:
    """Split a dotted key into its parts, quotes removed, by asking the TOML parser itself."""
    parts: list[str] = []
    try:
        value = tomllib.loads(f"{dotted} = 0")
    except tomllib.TOMLDecodeError:
        return (dotted,)
    while isinstance(value, dict):
        name = next(iter(value))
        parts.append(name)
        value = value[name]
    return tuple(parts)
