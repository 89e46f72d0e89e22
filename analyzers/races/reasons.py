"""The words for what keeps two accesses apart: locks, order, barriers, latches, ownership, create and join."""

from collections.abc import Sequence

from assay.analyzers.races import words
from assay.analyzers.races.analysis import Analysis
from assay.analyzers.races.engine import Access, Solo, Why
from assay.analyzers.races.ir import Mode, Site
from assay.analyzers.races.state import Held
from assay.analyzers.races.threads import Thread

ATOMIC = "both are atomic"
EXPLORED = "every interleaving of the program's steps was explored, and in none are both next at once"
OWN = "each thread has an object of its own here"
ELSEWHERE = "they touch different objects or different elements"
READ_ONLY = "nothing writes it while several threads run"
ALONE = "no other thread makes an access that conflicts with this one"
UNCOMPARED = "the object is accessed in more ways than are explained"
LATE = "the time was over before this access was compared with the others"
UNEXPLAINED = "nothing known keeps them apart, and they are not among the races listed: why is not known"

MAX_LINES = 4
MAX_THREADS = 3


def lock(held: Held, source: words.Source) -> str:
    """Say how what one side holds keeps the other away."""
    match held.mode:
        case Mode.PHASE:
            barrier = held.lock._replace(path=held.lock.path[:-1])
            return f"the barrier {words.location(barrier, source)} keeps them in different phases"
        case Mode.BEFORE | Mode.AFTER:
            return f"one is made before {words.location(held.lock, source)} announces that it is done, the other after"
        case Mode.TAKEN:
            return f"the object was taken out under {words.location(held.lock, source)}, and is its taker's own"
        case Mode.SHARED:
            return f"both hold {words.lock(held, source)}, and the other one excludes readers"
        case _:
            return f"both hold {words.lock(held, source)}"


def threads(analysis: Analysis, mine: tuple[int, Access], its: tuple[int, Access], source: words.Source) -> str:
    """Say why the threads that make two accesses never make them at once; empty if it is one thread that makes both."""
    said: dict[str, None] = {}
    for one in _makers(analysis, mine[0]):
        for other in _makers(analysis, its[0]):
            if one is not other:
                said[_apart(analysis, (one, mine[1]), (other, its[1]), source)] = None
    return "; ".join(list(said)[:MAX_THREADS]) + ("; and so for other threads" if len(said) > MAX_THREADS else "")


def _apart(analysis: Analysis, mine: tuple[Thread, Access], its: tuple[Thread, Access], source: words.Source) -> str:
    """Say why two threads never make these accesses at once."""
    every, one, other = analysis.engine.threads, mine[0], its[0]
    if one.number in every.ancestors(other.number):
        return _child(analysis, mine[1], other, source)
    if other.number in every.ancestors(one.number):
        return _child(analysis, its[1], one, source)
    return (
        f"{_thread(one, source)} and {_thread(other, source)} never run at once: one is joined before the other starts"
    )


def _makers(analysis: Analysis, walk: int) -> list[Thread]:
    return [thread for thread in analysis.engine.threads.all if walk in thread.walks]


def _child(analysis: Analysis, access: Access, child: Thread, source: words.Source) -> str:
    """Say why a thread does not run while the one that started it makes an access."""
    joined = analysis.engine.joined.get(child.number)
    started = _thread(child, source) + "," * (child.site is not None)
    early = child.site is not None and access.function == child.creator and access.site < child.site
    if not joined or early:
        return f"{started} is not started yet"
    return f"{started} is joined first, on {_lines(sorted(joined), source)}"


def _thread(thread: Thread, source: words.Source) -> str:
    started = "" if thread.site is None else f", started on {_lines([thread.site], source)}"
    return f"`{thread.function}`{started}"


def solo(access: Solo, analysis: Analysis, source: words.Source) -> str:
    """Say why no other thread can be beside an access."""
    match access.why:
        case Why.BEFORE:
            return "it runs before any thread is started"
        case Why.AFTER:
            sites = sorted({site for sites in analysis.engine.joined.values() for site in sites})
            where = f", on {_lines(sites, source)}" if sites else ""
            return f"every other thread has been joined by then{where}"
        case Why.PRIVATE:
            return "no other thread can reach the object here"
        case Why.OWN:
            return "each thread has its own: the variable is thread-local"


def runners(analysis: Analysis, numbers: Sequence[int], source: words.Source) -> tuple[str, ...]:
    """Name threads by their functions and by where they are started, each name once."""
    named = []
    for number in numbers:
        thread = analysis.engine.threads.all[number]
        if thread.site is None:
            named.append("the initial thread")
        else:
            several = "several threads" if thread.many else "the thread"
            named.append(f"{several} of `{thread.function}` started on {_lines([thread.site], source)}")
    return tuple(dict.fromkeys(named))


def _lines(sites: Sequence[Site], source: words.Source) -> str:
    lines = list(dict.fromkeys(source.line(site) for site in sites))
    shown = ", ".join(lines[:MAX_LINES]) + (", ..." if len(lines) > MAX_LINES else "")
    return f"line {shown}" if len(lines) == 1 else f"lines {shown}"
