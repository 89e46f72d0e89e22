"""What was meant by a name that does not exist: the names there are that resemble it most."""

from collections.abc import Iterable
from difflib import SequenceMatcher


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> tuple[str, ...]:
    """Give the known names that resemble `name` most: one, several that do so equally (in order), or none.

    `cutoff` is the least resemblance, from 0 to 1, of a name that can be meant (`difflib.SequenceMatcher.ratio`).
    """
    matcher = SequenceMatcher(b=name)
    best, found = cutoff, list[str]()
    for candidate in sorted(set(known)):
        matcher.set_seq1(candidate)
        if matcher.real_quick_ratio() < best or matcher.quick_ratio() < best:  # upper bounds, and quicker
            continue
        if (ratio := matcher.ratio()) > best:
            best, found = ratio, [candidate]
        elif ratio == best:
            found.append(candidate)
    return tuple(found)
