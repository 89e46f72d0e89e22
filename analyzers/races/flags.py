"""Variables that synchronise: locks made by hand, latches that publish, counters that hand out tickets.

All three are recognised by behaviour, from every store of the program to a variable:

- A *lock* is only taken, from one free value, by takers that exclude each other while they test, and given back
  by its holder.
- A *latch* leaves its first values once and never returns to them.  Who has seen it left comes after all that was
  done before.
- A *ticket counter* only grows, by stores that exclude each other.  The values it had are different numbers.
"""

from collections.abc import Collection, Mapping

from attrs import frozen

from assay.analyzers.races.state import ATOMIC_LOCK, Locks
from assay.analyzers.races.values import ANY, Location


@frozen
class Store:
    """A store to a variable while several threads run.

    `kind` is its part in the protocol of a lock; `free` the value tested before; `what` the constant stored, if it
    is one; `step` by how much the old value grows, if it does.
    """

    kind: str  # "acquire", "test", "release", "plain"
    free: int
    what: int | None
    step: int
    locks: Locks
    atomic: bool
    walk: int


@frozen
class Latch:
    """A variable that leaves the values `before` for good.

    `publisher` is the walk that alone moves it (or None); `guarded` says that all who move it share a lock.
    """

    before: frozenset[int]
    publisher: int | None
    guarded: bool


def is_lock(stores: Collection[Store], slots: bool) -> bool:
    """Tell whether the stores to a variable make it a lock.

    A lock is given back by its holder; a slot of a pool (one of many elements, `slots`) by whoever has it last.
    """
    taken = [store for store in stores if store.kind in ("acquire", "test")]
    free = {store.free for store in taken if store.kind == "acquire"}
    plain = [store for store in stores if store.kind == "plain"]
    if not taken or (plain and not (slots and exclusive(plain) and {store.what for store in plain} <= free)):
        return False
    return len(free) <= 1 and exclusive(taken)


def exclusive(stores: Collection[Store]) -> bool:
    """Tell whether stores happen under one common lock, or all atomically (in a step or in an atomic section)."""
    locksets = [frozenset(held.lock for held in store.locks if held.excludes) for store in stores if not store.atomic]
    if len(locksets) < len(stores):
        return all(ATOMIC_LOCK.lock in lockset for lockset in locksets)
    return bool(locksets and frozenset.intersection(*locksets))


def rejected(stores: Mapping[Location, Collection[Store]]) -> frozenset[Location]:
    """Name the variables that were taken for locks and are none."""
    return frozenset(
        place
        for place, some in stores.items()
        if any(store.kind in ("acquire", "test") for store in some) and not is_lock(some, slots=ANY in place.path)
    )


def latch(stores: Collection[Store], before: frozenset[int], once: frozenset[int]) -> Latch | None:
    """Recognise a latch; `once` are the walks of threads that run once."""
    after = {store.what for store in stores}
    if None in after or after & before or not before:
        return None
    walks = {store.walk for store in stores}
    publisher = next(iter(walks)) if len(walks) == 1 and walks <= once else None
    guarded = exclusive(stores)
    return Latch(before, publisher, guarded) if guarded or publisher is not None else None


def ticket_step(stores: Collection[Store]) -> int:
    """Give by how much the values of a ticket counter differ at least; 0 if it is none."""
    return min(store.step for store in stores) if exclusive(stores) else 0
