"""From cycles of waiting threads to hazards: one for each set of locks, in words."""

from collections import defaultdict

from attrs import frozen

from assay.analyzers.races import words
from assay.analyzers.races.analysis import Analysis
from assay.analyzers.races.deadlocks import Cycle, Waiting
from assay.analyzers.races.engine import Engine
from assay.analyzers.races.ir import Site
from assay.analyzers.races.outcome import Hazard, SourceText, Step
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


def report_deadlocks(analysis: Analysis, source: SourceText) -> list[Hazard]:
    """Make a hazard of all cycles over the same locks; its first step is where a thread waits, in the document if any.

    Its data has under ``deadlock`` every edge in the document as a pair of lines, 1-based: lock taken, lock waited for.
    """
    groups: dict[object, list[Cycle]] = defaultdict(list)
    for cycle in analysis.deadlocks:
        groups[_locks(cycle)].append(cycle)
    found = [_hazard(analysis.engine, cycles, source) for cycles in groups.values()]
    return sorted(found, key=lambda hazard: [step.site for step in hazard.steps])


def _locks(cycle: Cycle) -> object:
    """Name what a cycle is about: its locks, or for a thread that waits for itself the place where it does."""
    if len(cycle) == 1:
        return cycle[0].edge.calls[0].site
    return frozenset(_anonymous(waiting.edge.held.lock) for waiting in cycle)


def _anonymous(lock: Location) -> object:
    """Elements of an array whose index is not known are one lock here."""
    return lock.base, tuple(part if isinstance(part, str | int) else "" for part in lock.path)


def _hazard(engine: Engine, cycles: list[Cycle], source: SourceText) -> Hazard:
    dominant = min(cycles, key=lambda cycle: (len(cycle), [_sites(waiting) for waiting in cycle]))
    waits = sorted(
        (_wait(engine, waiting, source) for waiting in dominant),
        key=lambda wait: source.span(wait.site)[0] is not None,
    )
    itself = len(waits) == 1
    return Hazard(
        kind="self-deadlock" if itself else "lock-order",
        message=_itself(waits[0], source) if itself else _cycle(waits, source),
        reason=_reason(waits),
        steps=_steps(waits),
        data={"deadlock": _edges(cycles, source)},
    )


def _sites(waiting: Waiting) -> tuple[Site, Site]:
    return waiting.edge.taken.site, waiting.edge.calls[0].site


def _wait(engine: Engine, waiting: Waiting, source: SourceText) -> Wait:
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


def _itself(wait: Wait, source: SourceText) -> str:
    return (
        f"`{wait.function}` waits on line {source.line(wait.site)} for {wait.wanted}, which the same thread has held "
        f"since line {source.line(wait.taken)}: it waits for ever."
    )


def _cycle(waits: list[Wait], source: SourceText) -> str:
    """Name each edge of the cycle; threads that do the same are named once."""
    parts = [_edge(wait, source) for wait in waits]
    if len(set(parts)) == 1:
        return f"Threads can wait for each other for ever: each thread {parts[0].removeprefix('thread ')}, in a cycle."
    return f"Threads can wait for each other for ever: {'; '.join(parts)}."


def _edge(wait: Wait, source: SourceText) -> str:
    return (
        f"thread `{wait.thread}` holds {wait.held} (taken on line {source.line(wait.taken)}) "
        f"and waits for {wait.wanted} on line {source.line(wait.site)}"
    )


def _reason(waits: list[Wait]) -> str:
    if len(waits) == 1:
        return "The lock is not recursive, and nothing releases it between the two lines."
    threads = list(dict.fromkeys(f"`{wait.thread}` is {wait.started}" for wait in waits))
    return f"No lock that they have in common keeps the threads apart; {', '.join(threads)}."


def _steps(waits: list[Wait]) -> tuple[Step, ...]:
    """Give the places of every edge, each once; the first is where the first thread waits."""
    found: dict[Site, Step] = {}
    for number, wait in enumerate(waits):
        places = [(wait.taken, f"{wait.held} is taken here"), (wait.site, f"waits for {wait.wanted} here")]
        places += [(call, f"the call that leads to waiting for {wait.wanted}") for call in wait.calls]
        if number == 0:
            places[:2] = reversed(places[:2])
        for site, text in places:
            found.setdefault(site, Step(site, f"thread `{wait.thread}`: {text}"))
    return tuple(found.values())


def _edges(cycles: list[Cycle], source: SourceText) -> list[list[int]]:
    """Give the edges of all cycles whose places are both in the document, as pairs of lines."""
    found = set()
    for cycle in cycles:
        for waiting in cycle:
            lines = [_line(site, source) for site in _sites(waiting)]
            if None not in lines:
                found.add(tuple(line for line in lines if line is not None))
    return [list(pair) for pair in sorted(found)]


def _line(site: Site, source: SourceText) -> int | None:
    path, span = source.span(site)
    return span.start.line + 1 if path is None else None
