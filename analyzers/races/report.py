"""From racing pairs to races: one for each variable, with its dominant pair and the reason for it.

Positions are sites of the analysed text; the feature maps them to the source.
"""

from collections import defaultdict
from enum import StrEnum
from functools import cache, lru_cache

from attrs import frozen

from assay.analyzers.races import words
from assay.analyzers.races.analysis import Analysis
from assay.analyzers.races.detect import Racing
from assay.analyzers.races.engine import Access, Engine
from assay.analyzers.races.ir import Site
from assay.analyzers.races.values import Location, general_path


class Kind(StrEnum):
    """What sort of race it is: the part of the rule's code after ``race/``."""

    MIXED_ATOMIC = "mixed-atomic"
    WRONG_LOCK = "wrong-lock"
    MISSING_JOIN = "missing-join"
    LOST_UPDATE = "lost-update"
    WRITE_WRITE = "write-write"
    READ_WRITE = "read-write"


@frozen
class Side:
    """One access of a race in words: its role, place, function and what it holds."""

    role: str
    site: Site
    function: str
    holds: str


@frozen
class Race:
    """A variable that two threads access without order.

    `first` is the access to look at, `second` the one it races with; `pairs` are all racing pairs of sites.
    """

    kind: Kind
    variable: str
    first: Side
    second: Side
    overlap: str
    pairs: tuple[tuple[Site, Site], ...]


def report(analysis: Analysis, source: words.Source) -> list[Race]:
    """Group the racing pairs of an analysis by variable."""
    groups: dict[VariableKey, list[Racing]] = defaultdict(list)
    for racing in analysis.races:
        groups[variable_key(racing.one.location)].append(racing)
    updates = _updates(analysis.engine)
    races = [_race(analysis.engine, pairs, source, updates) for pairs in groups.values()]
    return sorted(races, key=lambda race: (race.first.site, race.variable))


VariableKey = tuple[object, ...]
Update = tuple[VariableKey, str, int]


def _updates(engine: Engine) -> set[Update]:
    """Find the (variable, function, line) where a thread both reads and writes: read-modify-write."""
    seen: dict[bool, set[Update]] = {False: set(), True: set()}
    for walk in engine.walks:
        for access in walk.accesses:
            seen[access.write].add((variable_key(access.location), access.function, access.site.line))
    return seen[False] & seen[True]


@lru_cache(maxsize=1024)
def variable_key(location: Location) -> VariableKey:
    """Give what locations of one variable have in common: object and fields, whatever instance and elements."""
    base = location.base
    _instance, path = general_path(location)
    fields = tuple(part if isinstance(part, str) else "[]" for part in path)
    name = base.name.rpartition(":")[0] if base.kind == "heap" else base.name
    return base.kind, name, fields


def _race(engine: Engine, pairs: list[Racing], source: words.Source, updates: set[Update]) -> Race:
    @cache
    def updating(access: Access) -> bool:
        return (variable_key(access.location), access.function, access.site.line) in updates

    def rank(racing: Racing) -> tuple[object, ...]:
        one, other = racing.one, racing.other
        rmw = updating(one) + updating(other)
        return (
            -rmw,
            one.site == other.site,
            -(one.write + other.write),
            _protection(one) + _protection(other),
            sorted((one.site, other.site)),
        )

    dominant = min(pairs, key=rank)
    first, second = sorted((dominant.one, dominant.other), key=_interest)
    creator = _creator(engine, dominant)
    kind = _kind(dominant, updating(first) or updating(second), creator)
    sites = sorted({tuple(sorted((racing.one.site, racing.other.site))) for racing in pairs})
    return Race(
        kind,
        words.variable((first, second, *_accesses(pairs)), source),
        _side(first, updating(first), source),
        _side(second, updating(second), source),
        words.overlap(engine.threads, dominant, source),
        tuple((one, other) for one, other in sites),
    )


def _accesses(pairs: list[Racing]) -> list[Access]:
    return sorted({access for racing in pairs for access in racing[:2]}, key=lambda one: one.site)


def _interest(access: Access) -> tuple[object, ...]:
    """The access to look at first is the less protected one, then a write, then the earlier one."""
    return _protection(access), not access.write, access.site


def _protection(access: Access) -> int:
    return sum(held.excludes for held in access.locks)


def _locks(access: Access) -> set[Location]:
    return {held.lock for held in access.locks if held.excludes}


def _side(access: Access, update: bool, source: words.Source) -> Side:
    role = "update" if update else "write" if access.write else "read"
    return Side(f"atomic {role}" if access.atomic else role, access.site, access.function, words.holds(access, source))


def _creator(engine: Engine, racing: Racing) -> Access | None:
    """Give the access that was made by a thread which created the other one's thread."""
    threads = engine.threads
    if racing.thread == racing.other_thread:
        return None
    if racing.thread in threads.ancestors(racing.other_thread):
        return racing.one
    return racing.other if racing.other_thread in threads.ancestors(racing.thread) else None


def _kind(racing: Racing, update: bool, creator: Access | None) -> Kind:
    one, other = racing.one, racing.other
    if one.atomic != other.atomic:
        return Kind.MIXED_ATOMIC
    if _protection(one) and _protection(other) and not _locks(one) & _locks(other):
        return Kind.WRONG_LOCK
    if creator is not None and not _protection(creator) and not creator.write:
        return Kind.MISSING_JOIN
    if update and one.write and other.write:
        return Kind.LOST_UPDATE
    return Kind.WRITE_WRITE if one.write and other.write else Kind.READ_WRITE
