"""Deadlocks: threads that wait for each other's locks in a cycle, and a thread that waits for a lock it holds.

Goodlock (Havelund, 2000) on the must-locksets of the analysis: an edge says that a thread waits for one lock while it
holds another.  A cycle of edges is a deadlock if its threads run in parallel and no lock that two of them hold keeps
these apart (a gate lock).
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from attrs import define, field

from assay.analyzers.budget import Budget
from assay.analyzers.errors import DeadlineError
from assay.analyzers.races.aliasing import Unifier, same_lock
from assay.analyzers.races.engine import Engine, Request, Step
from assay.analyzers.races.ir import CALLERS, Mode
from assay.analyzers.races.ordering import Ordering
from assay.analyzers.races.state import Held, Taken
from assay.analyzers.races.values import Location, Symbol, general

MAX_CYCLE = 8  # threads
MAX_TRIES = 50_000  # edges that the search for cycles looks at


class Edge(NamedTuple):
    """A thread of `walk` holds `held`, `taken` there, and waits for another lock; `calls` lead from there to the wait.

    `calls` begin with the wait itself; where a function takes a lock for its caller, that is the call of it.
    """

    walk: int
    held: Held
    taken: Taken
    calls: tuple[Step, ...]
    request: Request


class Waiting(NamedTuple):
    """One thread of a deadlock and what it waits for."""

    edge: Edge
    thread: int


Cycle = tuple[Waiting, ...]


def deadlocks(engine: Engine, budget: Budget) -> list[Cycle]:
    """Give the cycles of waiting threads; a cycle of one waits for itself."""
    found: list[Cycle] = []
    threads_of: dict[int, list[int]] = defaultdict(list)
    for thread in engine.threads.all:
        for walk in thread.walks:
            threads_of[walk].append(thread.number)
    edges = list(_edges(engine))
    search = _Search(engine, budget, threads_of)
    try:
        found += (
            (Waiting(edge, threads_of[edge.walk][0]),)
            for edge in edges
            if threads_of[edge.walk] and _for_itself(engine, edge)
        )
        between = [edge for edge in edges if _between_threads(engine, edge)]
        found += search.cycles(between)
    except DeadlineError:
        engine.limits.add("Not all locks could be compared in time; more deadlocks may exist. Split the file.")
    return found + search.found


def _edges(engine: Engine) -> Iterator[Edge]:
    """Give each wait with each lock held in it, except what only the made-up caller of a library holds."""
    for walk in engine.walks:
        for request in walk.requests:
            if request.lock.base.kind == "null":
                continue
            taken = dict(request.taken)
            for held in sorted(request.locks, key=repr):
                if held.excludes and not held.is_atomic_section and held.lock in taken:
                    where = taken[held.lock]
                    if where.function != CALLERS:
                        yield Edge(walk.number, held, where, _calls(engine, request, where), request)


def _calls(engine: Engine, request: Request, taken: Taken) -> tuple[Step, ...]:
    """Cut a stack of calls to those made since a lock was taken, and begin with the wait as a reader sees it."""
    calls = request.calls[: max(1, len(request.calls) - taken.level + 1)]
    while len(calls) > 1 and (calls[0].function, request.lock) in engine.wrappers:
        calls = calls[1:]
    return calls


def _for_itself(engine: Engine, edge: Edge) -> bool:
    """Tell whether a thread waits for the very lock that it holds."""
    request = edge.request
    if edge.held.lock != request.lock or not request.lock.precise or general(request.lock) in engine.reentrant:
        return False
    return not edge.held.mode is request.mode is Mode.SHARED


def _between_threads(engine: Engine, edge: Edge) -> bool:
    """Tell whether an edge can be part of a cycle: it is not in an only thread, and its locks are shared ones."""
    request = edge.request
    if request.alone or any(held.lock == request.lock for held in request.locks if held.excludes):
        return False
    return not any(_own(engine, edge.walk, lock) for lock in (edge.held.lock, request.lock))


def _own(engine: Engine, walk: int, lock: Location) -> bool:
    """Tell whether each thread has a lock of its own here."""
    made_here = lock.base.kind in ("local", "heap") and engine.owner_of(lock.base) == walk
    return made_here and isinstance(lock.instance, int) and not engine.walks[walk].initial


@define
class _Search:
    """A depth-first search for cycles; each starts at its first edge in the list, so that none is found twice."""

    engine: Engine
    budget: Budget
    threads_of: dict[int, list[int]]
    found: list[Cycle] = field(factory=list)
    tries: int = 0

    def cycles(self, edges: list[Edge]) -> list[Cycle]:
        """Give the cycles among edges; they are in `found` as well while the search runs."""
        ordering = Ordering(self.engine.program)
        free = [edge for edge in edges if not ordering.by_comparison(_functions(edge))]
        holding: dict[Location, list[int]] = defaultdict(list)
        for number, edge in enumerate(free):
            holding[edge.held.lock].append(number)
        for number, edge in enumerate(free):
            for thread in self.threads_of[edge.walk]:
                self._extend(free, holding, number, (Waiting(edge, thread),))
        self._symbolic(free)
        made, self.found = self.found, []
        return made

    def _extend(self, edges: list[Edge], holding: dict[Location, list[int]], first: int, path: Cycle) -> None:
        wanted = path[-1].edge.request
        if not _concrete(wanted.lock) or self._enough():
            return
        if len(path) > 1 and _blocks(path[-1].edge, path[0].edge) and wanted.lock == path[0].edge.held.lock:
            self.found.append(path)
            return
        if len(path) == MAX_CYCLE:
            return
        for number in holding.get(wanted.lock, ()):
            if number > first and _blocks(path[-1].edge, edges[number]):
                for thread in self.threads_of[edges[number].walk]:
                    following = Waiting(edges[number], thread)
                    if all(self._together(other, following) for other in path):
                        self._extend(edges, holding, first, (*path, following))

    def _enough(self) -> bool:
        self.budget.check()
        self.tries += 1
        if self.tries > MAX_TRIES:
            self.engine.limits.add(
                f"The search for deadlocks ended after {MAX_TRIES:,} steps; more may exist. Split the file."
            )
        return self.tries > MAX_TRIES

    def _together(self, one: Waiting, other: Waiting) -> bool:
        """Tell whether two threads can be at these places at once."""
        mine, its = one.edge.request, other.edge.request
        if not self._parallel(one, other):
            return False
        unifier = Unifier(excluded=self.engine.threads.excluded)
        return not any(same_lock(a, b, unifier) for a in mine.locks for b in its.locks)

    def _parallel(self, one: Waiting, other: Waiting) -> bool:
        threads = self.engine.threads
        apart = (
            one.thread != other.thread
            or one.edge.walk != other.edge.walk
            or (one.edge.walk in threads.all[one.thread].repeated)
        )
        return apart and threads.parallel(
            one.thread, one.edge.request.running, other.thread, other.edge.request.running
        )

    def _symbolic(self, edges: list[Edge]) -> None:
        """Find the two threads that take two elements of an array in opposite orders, and the rings of an array."""
        chosen = [edge for edge in edges if not _concrete(edge.request.lock) and _in_one_array(edge)]
        for number, one in enumerate(chosen):
            if self._ring(one, chosen):
                self.found.append((Waiting(one, self.threads_of[one.walk][0]),) * 2)
                continue
            for other in chosen[number:]:
                if self._enough():
                    return
                self._opposite(one, other)

    def _ring(self, edge: Edge, edges: list[Edge]) -> bool:
        """Tell whether each of many threads holds an element and waits for the next, the last one for the first."""
        held, wanted = _index(edge.held.lock), _index(edge.request.lock)
        if not isinstance(held, Symbol) or not isinstance(wanted, Symbol) or wanted.key[:2] != ("term", "%"):
            return False
        inner, offset = wanted.key[2], wanted.offset
        around = isinstance(inner, Symbol) and inner.key == held.key and inner.offset != held.offset and not offset
        many = any(self.engine.threads.all[thread].many for thread in self.threads_of[edge.walk])
        turned = any(other.held.lock == edge.request.lock for other in edges if other.walk == edge.walk)
        return around and many and held.distinct and not turned

    def _opposite(self, one: Edge, other: Edge) -> None:
        unifier = Unifier(excluded=self.engine.threads.excluded)
        crossed = ((one.request.lock, other.held.lock), (one.held.lock, other.request.lock))
        if not (_blocks(one, other) and _blocks(other, one)):
            return
        if not all(_unified(unifier, left, right) for left, right in crossed):
            return
        for mine in self.threads_of[one.walk]:
            for its in self.threads_of[other.walk]:
                pair = Waiting(one, mine), Waiting(other, its)
                gates = (same_lock(a, b, unifier) for a in one.request.locks for b in other.request.locks)
                if self._parallel(*pair) and not any(gates):
                    self.found.append(pair)
                    return


def _unified(unifier: Unifier, left: Location, right: Location) -> bool:
    """Make two locks one, if some choice of their unknowns does; none may have been chosen otherwise before."""
    if left.base != right.base or left.instance != right.instance or len(left.path) != len(right.path):
        return False
    return all(unifier.unify(a, b) and unifier.equal(a, b) for a, b in zip(left.path, right.path, strict=True))


def _in_one_array(edge: Edge) -> bool:
    held, wanted = edge.held.lock, edge.request.lock
    return (
        held.base == wanted.base
        and isinstance(held.instance, int)
        and held.instance == wanted.instance
        and len(held.path) == len(wanted.path)
        and held.precise
        and wanted.precise
        and _index(held) is not None
    )


def _index(lock: Location) -> Symbol | None:
    """Give the only unknown index of a lock."""
    unknown = [part for part in lock.path if isinstance(part, Symbol)]
    return unknown[0] if len(unknown) == 1 else None


def _concrete(lock: Location) -> bool:
    return isinstance(lock.instance, int) and not any(isinstance(part, Symbol) for part in lock.path)


def _blocks(waits: Edge, holds: Edge) -> bool:
    """Tell whether the mode in which one is held keeps out who waits for it."""
    return not waits.request.mode is holds.held.mode is Mode.SHARED


def _functions(edge: Edge) -> set[str]:
    return {edge.taken.function, *(step.function for step in edge.request.calls)}
