"""Compare the accesses of all threads pairwise: overlap, at least one write, parallel, no common lock.

That is a data race as C11 5.1.2.4 has it, with locks and create/join for the happens-before relation.
"""

from collections import defaultdict
from enum import StrEnum
from itertools import combinations_with_replacement, islice, product
from typing import NamedTuple

from assay.analyzers.budget import Budget
from assay.analyzers.errors import DeadlineError
from assay.analyzers.races.aliasing import overlap, same_lock
from assay.analyzers.races.engine import Access, Engine
from assay.analyzers.races.state import Held, Locks
from assay.analyzers.races.values import Base, Location

MAX_GROUPS = 600  # of one object; pairs grow with the square
MAX_PAIRS = 20_000  # of one object

Protection = tuple[int, Location, Locks, int]  # walk, location, lockset, running set
Groups = dict[Protection, list[Access]]


class Racing(NamedTuple):
    """Two accesses that can happen at the same time, and the threads that make them."""

    one: Access
    other: Access
    thread: int
    other_thread: int


class Apart(StrEnum):
    """What keeps two accesses of one object apart."""

    THREADS = "threads"  # create and join, or one thread makes both
    OWN = "own"
    PLACE = "place"
    LOCK = "lock"


class Order(NamedTuple):
    """Why two accesses never touch one place at once; `held` is what the first of them holds."""

    apart: Apart
    held: Held | None = None


_OWN, _ELSEWHERE = Order(Apart.OWN), Order(Apart.PLACE)


class Detector:
    """Finds the racing pairs of one finished analysis."""

    def __init__(self, engine: Engine, budget: Budget) -> None:
        self.engine, self.budget = engine, budget
        self.threads_of: dict[int, list[int]] = defaultdict(list)
        for thread in engine.threads.all:
            for walk in thread.walks:
                self.threads_of[walk].append(thread.number)
        self.tickets = engine.tickets()
        self.parallel: dict[tuple[int, int, int, int], tuple[int, int] | None] = {}

    def races(self) -> list[Racing]:
        """Give every racing pair; those found so far when the time is over."""
        found: list[Racing] = []
        try:
            for groups in self.objects().values():
                self._among(list(groups.items()), found)
        except DeadlineError:
            self.engine.limits.add("Not all accesses could be compared in time; more races may exist. Split the file.")
        return found

    def objects(self) -> dict[Base, Groups]:
        """Collect the accesses of each object that is written, those with the same protection together."""
        objects: dict[Base, Groups] = defaultdict(lambda: defaultdict(list))
        written: set[Base] = set()
        for walk in self.engine.walks:
            for access in walk.accesses:
                same = (walk.number, access.location, access.locks, access.running)
                objects[access.location.base][same].append(access)
                if access.write:
                    written.add(access.location.base)
        return {base: groups for base, groups in objects.items() if base in written}

    def _among(self, groups: list[tuple[Protection, list[Access]]], found: list[Racing]) -> None:
        if len(groups) > MAX_GROUPS:
            self.engine.limits.add(
                f"An object is accessed in more than {MAX_GROUPS} ways; only the first {MAX_GROUPS} were compared. "
                "Check smaller files."
            )
        before = len(found)
        for (mine, some), (its, others) in combinations_with_replacement(groups[:MAX_GROUPS], 2):
            self.budget.check()
            pair = self.threads(mine[0], mine[3], its[0], its[3])
            if pair is None or self.order(mine[0], some[0], its[0], others[0]) is not None:
                continue
            couples = combinations_with_replacement(some, 2) if some is others else product(some, others)
            races = (
                Racing(one, other, *pair)
                for one, other in couples
                if (one.write or other.write) and not (one.atomic and other.atomic)
            )
            found += islice(races, MAX_PAIRS - (len(found) - before))
            if len(found) - before == MAX_PAIRS:
                self.engine.limits.add(
                    f"An object has {MAX_PAIRS:,} racing pairs of accesses or more; only so many are listed. "
                    "Guard it, and check again."
                )
                return

    def threads(self, walk: int, running: int, other_walk: int, other_running: int) -> tuple[int, int] | None:
        """Give two threads that make these accesses in parallel."""
        key = (walk, running, other_walk, other_running)
        if key not in self.parallel:
            threads = self.engine.threads
            self.parallel[key] = next(
                (
                    (one, other)
                    for one in self.threads_of[walk]
                    for other in self.threads_of[other_walk]
                    if threads.parallel(one, running, other, other_running)
                    and (one != other or walk != other_walk or walk in threads.all[one].repeated)
                ),
                None,
            )
        return self.parallel[key]

    def order(self, walk: int, one: Access, other_walk: int, other: Access) -> Order | None:
        """Tell what keeps two accesses that parallel threads make apart; None if nothing does."""
        same = walk == other_walk
        if same and self._own_object(one, other, walk):
            return _OWN
        unifier = overlap(one.location, other.location, self.engine.threads.excluded, self.tickets)
        if unifier is None:
            return _ELSEWHERE
        for mine in one.locks:
            for its in other.locks:
                if same_lock(mine, its, unifier):
                    return Order(Apart.LOCK, mine)
        return None

    def _own_object(self, one: Access, other: Access, walk: int) -> bool:
        """Each thread has its own copy of what its own activation made and did not find in shared memory."""
        base = one.location.base
        if base.kind not in ("local", "heap") or self.engine.walks[walk].initial:
            return False
        return (
            self.engine.owner_of(base) == walk
            and isinstance(one.location.instance, int)
            and isinstance(other.location.instance, int)
        )
