"""Barriers: threads that meet again and again are all in the same phase.

The phase of a thread is the wait that it passed last.  All threads of a barrier run the same code, so two of them are
in the same phase at any time, and what different phases do is never at once (POSIX, ``pthread_barrier_wait``).  A
function that waits in one of two branches says nothing by the place of a wait; its barriers are left alone.
"""

from collections.abc import Mapping

from assay.analyzers.races import ir
from assay.analyzers.races.graph import graph, successors
from assay.analyzers.races.ir import Mode
from assay.analyzers.races.state import Held, Locks
from assay.analyzers.races.values import Location

START = "@start"
SERIAL = "@serial"


def phase(barrier: Location, site: ir.Site) -> Held:
    """Name the phase after a wait."""
    return Held(barrier.member(f"@{site.line}:{site.column}"), Mode.PHASE)


def is_of(held: Held, barrier: Location) -> bool:
    """Tell whether something held belongs to a barrier: its phase, or being the serial thread."""
    return held.lock.base == barrier.base and held.lock.path[:-1] == barrier.path and held.lock.path[-1:] > ("@",)


def passed(locks: Locks, barrier: Location, site: ir.Site) -> Locks:
    """Give what is held after a wait."""
    return frozenset(held for held in locks if not is_of(held, barrier)) | {phase(barrier, site)}


def starting(locks: Locks, participants: Mapping[Location, frozenset[int]], walk: int) -> Locks:
    """Give the first phases in which a walk is at barriers that it has not waited at yet."""
    return frozenset(
        Held(barrier.member(START), Mode.PHASE)
        for barrier, walks in participants.items()
        if walk in walks and not any(held.mode is Mode.PHASE and is_of(held, barrier) for held in locks)
    )


def in_step(program: ir.Program, function: str) -> bool:
    """Tell whether every two waits of a function come after one another on each way through it."""
    blocks = program.functions[function].blocks
    waits = [
        number for number, block in enumerate(blocks) if any(isinstance(one, ir.Meet) for one in block.instructions)
    ]
    reach = {wait: _forward(program.functions[function], wait) for wait in waits}
    return all(one in reach[other] or other in reach[one] for one in waits for other in waits)


def _forward(function: ir.Function, start: int) -> set[int]:
    order = graph(function).order
    seen, todo = {start}, [start]
    while todo:
        block = todo.pop()
        for target in successors(function.blocks[block]):
            if order[target] > order[block] and target not in seen:
                seen.add(target)
                todo.append(target)
    return seen
