"""Say in words what the race analysis found: variables, locks, threads."""

import re
from collections.abc import Sequence
from typing import Protocol

from assay.analyzers.races.barriers import SERIAL
from assay.analyzers.races.detect import Racing
from assay.analyzers.races.engine import Access, Solo
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


def variable(accesses: Sequence[Access | Solo], source: Source) -> str:
    """Name the variable that all of these access as the program does, the first access first.

    An object without a name of its own has that of an access that mentions the field: ``free(p)`` writes ``p->next``.
    Where the only words are those of a pointer, the variable is what it points to.
    """
    place = max((access.location for access in accesses), key=lambda one: len(one.path))
    if place.base.kind in ("global", "local"):
        return _named(accesses[0].location)
    texts = [" ".join(source.text(access.site).split()) for access in accesses]
    fields = [part for part in place.path if isinstance(part, str)]
    mention = re.compile(rf"\b{re.escape(fields[-1])}\b" if fields else "")
    text = next((text for text in texts if text and mention.search(text)), texts[0]) or _path(place)
    return f"*{text}" if text.isidentifier() or not text else text


def location(place: Location, source: Source) -> str:
    """Name a location by its object and path, in a phrase with quotes where the program's words are."""
    base = place.base
    if base.kind in ("global", "local"):
        return f"`{_named(place)}`"
    whole = "the object"
    if base.kind == "heap":
        line = int(base.name.partition(":")[0])
        whole = f"the object allocated on line {source.line(Site(line, 0, line, 0))}"
    path = _path(place).removeprefix(".")
    return f"`{path}` of {whole}" if path else whole


def _named(place: Location) -> str:
    """Name a location in an object that has a name of its own."""
    return place.base.name.rpartition(".")[2].partition("#")[0] + _path(place)


def _path(place: Location) -> str:
    """Give the fields and elements that lead to a location; an object without a name is its own first element."""
    nameless = place.base.kind in ("heap", "object") and place.path[:1] == (0,)
    return "".join(
        f".{part}" if isinstance(part, str) else f"[{part}]" if isinstance(part, int) else "[…]"
        for part in place.path[nameless:]
    )


def lock(held: Held, source: Source) -> str:
    """Name a lock."""
    if held.lock.path[-1:] == (SERIAL,):
        return f"the serial part of {location(held.lock._replace(path=held.lock.path[:-1]), source)}"
    name = "the atomic section" if held.is_atomic_section else location(held.lock, source)
    if held.flag:
        return f"the hand-made lock {name}"
    return f"{name} (shared)" if held.mode is Mode.SHARED else name


def holds(access: Access, source: Source) -> str:
    """Say what locks an access holds."""
    names = sorted(lock(held, source) for held in access.locks if held.excludes)
    return "holds " + " and ".join(names) if names else "holds no lock"


def overlap(threads: Threads, racing: Racing, source: Source) -> str:
    """Say why the two accesses can happen at the same time."""
    one, other = threads.all[racing.thread], threads.all[racing.other_thread]
    if one is other:
        return f"`{one.function}` runs in several threads at once, {started(one, source)}"
    if one.number in threads.ancestors(other.number):
        return _unfinished(racing.one, other, source)
    if other.number in threads.ancestors(one.number):
        return _unfinished(racing.other, one, source)
    if one.site == other.site:
        return f"`{one.function}` runs in more than one thread, {started(one, source)}"
    return (
        f"`{one.function}` ({started(one, source)}) and `{other.function}` ({started(other, source)}) run in parallel"
    )


def started(thread: Thread, source: Source) -> str:
    """Say what started a thread."""
    return "from the start" if thread.site is None else f"started by {source.spawn} on line {source.line(thread.site)}"


def _unfinished(access: Access, child: Thread, source: Source) -> str:
    where = source.line(access.site)
    return f"`{child.function}`, {started(child, source)}, may still run when `{access.function}` reaches line {where}"
