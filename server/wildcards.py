"""Keep the patterns of a .gitignore from taking exponential time.

A regular expression made from ``a*a*a*b`` tries every way to share a name among its stars.  A glob never needs that:
what stands between two wildcards may be matched as early as it can be, once and for all, as `fnmatch` does it.
"""

import re

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

_STAR = "[^/]*"
_ANY = "[^/]"
_FOLDERS = "(?:/.+)?"
_ABOVE = "^(?:.+/)?"


def committed(pattern: GitIgnoreSpecPattern) -> GitIgnoreSpecPattern:
    """Give a pattern that matches the same paths, and settles what stands before its last wildcard for good."""
    if pattern.regex is None:
        return pattern
    return GitIgnoreSpecPattern(re.compile(_committed(pattern.regex.pattern)), pattern.include)


def _committed(regex: str) -> str:
    """Rewrite an expression of pathspec, in which ``**`` between folders is ``(?:/.+)?``."""
    first, *others = map(_stars, regex.split(_FOLDERS))
    if not others:
        return first
    if first.startswith(_ABOVE):
        first = f"^(?>(?:.+?/)??{first.removeprefix(_ABOVE)}(?=/))"
    middle = [f"(?>(?:/.+?)??{part}(?=/))" for part in others[:-1]]
    return first + "".join(middle) + _FOLDERS + others[-1]


def _stars(regex: str) -> str:
    """Rewrite the stars inside each folder's or file's name."""
    first, *others = regex.split(_STAR)
    ends = [index == len(others) - 1 or "/" in part.replace(_ANY, "") for index, part in enumerate(others)]
    parts = [_STAR + part if end else f"(?>{_STAR}?{part})" for part, end in zip(others, ends, strict=True)]
    return first + "".join(parts)
