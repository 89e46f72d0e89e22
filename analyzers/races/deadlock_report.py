"""From cycles of waiting threads to deadlocks: one for each set of locks, in words.

Positions are sites of the analysed text; the feature maps them to the source.
"""

from collections import defaultdict

from attrs import frozen

from assay.analyzers.races import words
from assay.analyzers.races.analysis import Analysis
from assay.analyzers.races.deadlocks import Cycle, Waiting
from assay.analyzers.races.engine import Engine
from assay.analyzers.races.ir import Site
from assay.analyzers.races.values import Location


@frozen
class Wait:
    """A thread that runs `thread` holds the lock `held`, taken at `taken`, and waits for `wanted` at `site`.

    `function` is where it waits, `calls` are the calls from where it holds the lock to there, the innermost first.
    """

    thread: str
    started: str
    held: str
    taken: Site
    wanted: str
    site: Site
    function: str
    calls: tuple[Site, ...] = ()


@frozen
class Deadlock:
    """Threads that wait for each other: `waits` is one cycle, `edges` are (taken, waits) of all over its locks."""

    waits: tuple[Wait, ...]
    edges: tuple[tuple[Site, Site], ...]

    @property
    def itself(self) -> bool:
        """Tell whether one thread waits for a lock of its own."""
        return len(self.waits) == 1


def report_deadlocks(analysis: Analysis, source: words.Source) -> list[Deadlock]:
    """Group the cycles of an analysis by the locks in them."""
    groups: dict[object, list[Cycle]] = defaultdict(list)
    for cycle in analysis.deadlocks:
        groups[_locks(cycle)].append(cycle)
    found = [_deadlock(analysis.engine, cycles, source) for cycles in groups.values()]
    return sorted(found, key=lambda deadlock: [(wait.site, wait.taken) for wait in deadlock.waits])


def _locks(cycle: Cycle) -> object:
    """Name what a cycle is about: its locks, or for a thread that waits for itself the place where it does."""
    if len(cycle) == 1:
        return cycle[0].edge.calls[0].site
    return frozenset(_anonymous(waiting.edge.held.lock) for waiting in cycle)


def _anonymous(lock: Location) -> object:
    """Elements of an array whose index is not known are one lock here."""
    return lock.base, tuple(part if isinstance(part, str | int) else "" for part in lock.path)


def _deadlock(engine: Engine, cycles: list[Cycle], source: words.Source) -> Deadlock:
    dominant = min(cycles, key=lambda cycle: (len(cycle), [_sites(waiting) for waiting in cycle]))
    edges = sorted({_sites(waiting) for cycle in cycles for waiting in cycle})
    return Deadlock(tuple(_wait(engine, waiting, source) for waiting in dominant), tuple(edges))


def _sites(waiting: Waiting) -> tuple[Site, Site]:
    return waiting.edge.taken.site, waiting.edge.calls[0].site


def _wait(engine: Engine, waiting: Waiting, source: words.Source) -> Wait:
    edge, thread = waiting.edge, engine.threads.all[waiting.thread]
    first, *others = edge.calls
    return Wait(
        thread.function,
        words.started(thread, source),
        words.lock(edge.held, source),
        edge.taken.site,
        words.location(edge.request.lock, source),
        first.site,
        first.function,
        tuple(step.site for step in others),
    )
