"""Compare the accesses of all threads pairwise: overlap, at least one write, parallel, no common lock.

That is a data race as C11 5.1.2.4 has it, with locks and create/join for the happens-before relation.
"""

from collections import defaultdict
from itertools import combinations_with_replacement
from typing import NamedTuple

from assay.analyzers.races.aliasing import overlap, same_lock
from assay.analyzers.races.engine import Access, Engine
from assay.analyzers.races.values import Base

MAX_ACCESSES = 600  # of one object; pairs grow with the square


class Racing(NamedTuple):
    """Two accesses that can happen at the same time, and the threads that make them."""

    one: Access
    other: Access
    thread: int
    other_thread: int


class Detector:
    """Finds the racing pairs of one finished analysis."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.threads_of: dict[int, list[int]] = defaultdict(list)
        for thread in engine.threads.all:
            for walk in thread.walks:
                self.threads_of[walk].append(thread.number)
        self.tickets = engine.tickets()
        self.parallel: dict[tuple[int, int, int, int], tuple[int, int] | None] = {}

    def races(self) -> list[Racing]:
        """Give every racing pair."""
        found: list[Racing] = []
        for accesses in self._by_base().values():
            self.engine.budget.check()
            if any(access.write for _walk, access in accesses):
                found += self._among(accesses)
        return found

    def _by_base(self) -> dict[Base, list[tuple[int, Access]]]:
        groups: dict[Base, list[tuple[int, Access]]] = defaultdict(list)
        for walk in self.engine.walks:
            for access in walk.accesses:
                groups[access.location.base].append((walk.number, access))
        return groups

    def _among(self, accesses: list[tuple[int, Access]]) -> list[Racing]:
        found = []
        if len(accesses) > MAX_ACCESSES:
            self.engine.limits.add(
                f"An object is accessed in more than {MAX_ACCESSES} ways; only the first {MAX_ACCESSES} were compared. "
                "Check smaller files."
            )
        for (walk, one), (other_walk, other) in combinations_with_replacement(accesses[:MAX_ACCESSES], 2):
            if not (one.write or other.write) or (one.atomic and other.atomic):
                continue
            self.engine.budget.check()
            pair = self._parallel(walk, one.running, other_walk, other.running)
            if pair is not None and self._unordered(walk, one, other_walk, other):
                found.append(Racing(one, other, *pair))
        return found

    def _parallel(self, walk: int, running: int, other_walk: int, other_running: int) -> tuple[int, int] | None:
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

    def _unordered(self, walk: int, one: Access, other_walk: int, other: Access) -> bool:
        """Tell whether the accesses can touch one place without a common lock."""
        same = walk == other_walk
        if same and self._own_object(one, other, walk):
            return False
        unifier = overlap(one.location, other.location, self.engine.threads.excluded, self.tickets)
        if unifier is None:
            return False
        return not any(same_lock(mine, its, unifier) for mine in one.locks for its in other.locks)

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
