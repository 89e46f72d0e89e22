"""What was meant by a name that does not exist: the names there are that resemble it most."""

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> tuple[str, ...]:
    """Give the known names that resemble `name` most: one, several that do so equally, or none.

    `cutoff` is the least resemblance, from 0 to 1, of a name that can be meant (`difflib.SequenceMatcher.ratio`).
    """
    candidates = sorted(set(known))
    close = get_close_matches(name, candidates, n=max(1, len(candidates)), cutoff=cutoff)
    best = max((_resemblance(name, one) for one in close), default=0.0)
    return tuple(sorted(one for one in close if _resemblance(name, one) == best))


def _resemblance(name: str, other: str) -> float:
    return SequenceMatcher(None, other, name).ratio()
