"""Say in words what the race analysis found: variables, locks, threads."""

from typing import Protocol

from assay.analyzers.races.detect import Racing
from assay.analyzers.races.engine import Access
from assay.analyzers.races.ir import Mode, Site
from assay.analyzers.races.state import Held
from assay.analyzers.races.threads import Thread, Threads
from assay.analyzers.races.values import Location


class Source(Protocol):
    """How sites look to the reader."""

    def text(self, site: Site) -> str:
        """Give the source text at a site."""

    def line(self, site: Site) -> str:
        """Name the line of a site, 1-based, with its file if that is not the document."""

    @property
    def spawn(self) -> str:
        """Name what starts a thread in this language."""


def variable(access: Access, source: Source) -> str:
    """Name the variable of an access as the program does."""
    base = access.location.base
    if base.kind in ("global", "local"):
        return location(access.location)
    return " ".join(source.text(access.site).split()) or location(access.location)


def location(place: Location) -> str:
    """Name a location by its object and path."""
    base = place.base
    name = base.name.rpartition(".")[2].partition("#")[0] if base.kind in ("global", "local") else "the object"
    if base.kind == "heap":
        name = f"the object allocated on line {int(base.name.partition(':')[0]) + 1}"
    for part in place.path[1:] if base.kind in ("heap", "object") and place.path[:1] == (0,) else place.path:
        if isinstance(part, str):
            name += f".{part}"
        else:
            name += f"[{part}]" if isinstance(part, int) else "[…]"
    return name


def lock(held: Held) -> str:
    """Name a lock."""
    name = "the atomic section" if held.is_atomic_section else f"`{location(held.lock)}`"
    if held.flag:
        return f"the hand-made lock {name}"
    return f"{name} (shared)" if held.mode is Mode.SHARED else name


def holds(access: Access, source: Source) -> str:
    """Say what locks an access holds."""
    names = sorted(lock(held) for held in access.locks if held.excludes)
    return "holds " + " and ".join(names) if names else "holds no lock"


def overlap(threads: Threads, racing: Racing, source: Source) -> str:
    """Say why the two accesses can happen at the same time."""
    one, other = threads.all[racing.thread], threads.all[racing.other_thread]
    if one is other:
        return f"`{one.function}` runs in several threads at once, {_started(one, source)}"
    if one.number in threads.ancestors(other.number):
        return _unfinished(racing.one, other, source)
    if other.number in threads.ancestors(one.number):
        return _unfinished(racing.other, one, source)
    if one.site == other.site:
        return f"`{one.function}` runs in more than one thread, {_started(one, source)}"
    return (
        f"`{one.function}` ({_started(one, source)}) and `{other.function}` ({_started(other, source)}) run in parallel"
    )


def _started(thread: Thread, source: Source) -> str:
    return "from the start" if thread.site is None else f"started by {source.spawn} on line {source.line(thread.site)}"


def _unfinished(access: Access, child: Thread, source: Source) -> str:
    where = source.line(access.site)
    return f"`{child.function}`, {_started(child, source)}, may still run when `{access.function}` reaches line {where}"
