"""Locks made by hand from a variable: which variables obey the protocol of a lock.

A store that changes a variable from one known value to another, while nothing can come between, takes the lock;
a store by the holder gives it back.  The variable is a lock only if every store in the program is of these two
kinds, if it is always taken from the same free value, and if all takers exclude each other while they test.
"""

from collections.abc import Iterable

from attrs import frozen

from assay.analyzers.races.state import Locks
from assay.analyzers.races.values import Location


@frozen(eq=False)
class FlagStore:
    """A store to a variable that may be a lock: its part in the protocol, the value tested, the locks held."""

    kind: str  # "acquire", "test", "release", "plain"
    free: int
    locks: Locks
    atomic: bool


def is_lock(stores: Iterable[FlagStore]) -> bool:
    """Tell whether the stores to a variable make it a lock."""
    stores = list(stores)
    taken = [store for store in stores if store.kind in ("acquire", "test")]
    if not taken or any(store.kind == "plain" for store in stores):
        return False
    free = {store.free for store in taken if store.kind == "acquire"}
    return len(free) <= 1 and _exclusive(taken)


def _exclusive(taken: list[FlagStore]) -> bool:
    """Tell whether the takers test and set under one common lock, or all atomically."""
    sections = [frozenset(held.lock for held in store.locks) for store in taken if not store.atomic]
    if len(sections) < len(taken):
        return not sections or all(any(lock.base.name.startswith("<") for lock in section) for section in sections)
    return bool(frozenset.intersection(*sections))


def rejected(flags: dict[Location, list[FlagStore]]) -> frozenset[Location]:
    """Name the variables that were taken for locks and are none."""
    return frozenset(
        place
        for place, stores in flags.items()
        if any(store.kind in ("acquire", "test") for store in stores) and not is_lock(stores)
    )
