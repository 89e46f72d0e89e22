"""What is known at one point of one thread: registers, memory facts, held locks and running threads."""

from collections.abc import Hashable
from typing import NamedTuple, TypeVar

from attrs import define, field

from assay.analyzers.races.ir import ATOMIC_SECTION, Mode, Site
from assay.analyzers.races.values import (
    NOTHING,
    UNKNOWN,
    Base,
    Instance,
    Key,
    Location,
    Symbol,
    Value,
    age,
    join,
    mentions,
    put,
    put_in,
    single,
    value,
)

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Held(NamedTuple):
    """A lock that is certainly held; `flag` marks one made by hand from the variable at `lock`.

    With the modes ``BEFORE`` and ``AFTER``: the event at `lock` certainly has not, or has, happened.
    """

    lock: Location
    mode: Mode = Mode.EXCLUSIVE
    flag: bool = False

    @property
    def excludes(self) -> bool:
        """Tell whether holding this keeps other threads out."""
        return self.mode in (Mode.EXCLUSIVE, Mode.SHARED)

    @property
    def is_atomic_section(self) -> bool:
        """Tell whether this is the lock that every atomic section holds."""
        return self.lock.base.name == ATOMIC_SECTION


class Taken(NamedTuple):
    """Where a held lock was taken: by the function `level` calls deep in its thread, from 1."""

    site: Site
    function: str
    level: int


ATOMIC_LOCK = Held(Location(Base("global", ATOMIC_SECTION)))
Locks = frozenset[Held]  # a must-lockset (Savage et al., "Eraser", 1997)
NO_LOCKS: Locks = frozenset()
Thing = tuple[Base, Instance]  # an object
StateKey = tuple[Locks, int, frozenset[Key], frozenset[Thing]]
Known = int | frozenset[int]  # the number a symbol is, or the numbers it is not


@define(eq=False)
class State:
    """One disjunct of the analysis at a program point.

    `facts` are memory contents that no other thread can change now; `private` are objects only this thread
    can reach; `running` has one bit for each child thread that may run; `counts` says how often this path
    allocated or spawned at a site; `pending` are test-and-set stores whose outcome is not yet tested.

    `seen` are the places in which the current critical section found pointers to shared objects; an object whose
    pointer it then overwrites is `owned`: it was taken out of a structure that these locks guard, and until its
    pointer is stored again, others reach it only through what they took out themselves.

    `taken` says where the held locks were taken on one of the merged paths.
    """

    registers: dict[str, Value] = field(factory=dict)
    facts: dict[Location, Value] = field(factory=dict)
    locks: Locks = NO_LOCKS
    running: int = 0
    known: dict[Key, Known] = field(factory=dict)
    counts: dict[Key, int] = field(factory=dict)
    private: frozenset[Base] = frozenset()
    pending: dict[Key, tuple[Location, int]] = field(factory=dict)
    seen: dict[Location, Value] = field(factory=dict)
    taken: dict[Location, Taken] = field(factory=dict)
    owned: dict[Thing, Locks] = field(factory=dict)

    def copy(self) -> "State":
        """Give an independent state with the same content."""
        return State(
            dict(self.registers),
            dict(self.facts),
            self.locks,
            self.running,
            dict(self.known),
            dict(self.counts),
            self.private,
            dict(self.pending),
            dict(self.seen),
            dict(self.taken),
            dict(self.owned),
        )

    @property
    def key(self) -> StateKey:
        """States with the same key are merged: locks and running threads stay exact on each path."""
        return self.locks, self.running, frozenset(self.pending), frozenset(self.owned)

    @property
    def guarded(self) -> bool:
        """Tell whether any lock is held."""
        return any(held.excludes for held in self.locks)

    def again(self, lock: Location) -> int:
        """Count how often a held lock was taken once more."""
        return self.counts.get(("again", lock), 0)

    def number(self, place: Location) -> int | None:
        """Give the number a place is known to hold."""
        atom = single(self.facts.get(place, NOTHING))
        if isinstance(atom, Symbol):
            known = self.known.get(atom.key)
            return known + atom.offset if isinstance(known, int) else None
        return atom if isinstance(atom, int) else None

    def forget(self, key: Key) -> None:
        """A symbol gets a new meaning: what used its old one no longer equals it."""
        self.known.pop(key, None)
        for term in [other for other in self.known if other[0] == "term" and mentions(Symbol(other), key)]:
            del self.known[term]
        self.pending.pop(key, None)
        _age_values(self.registers, key)
        _age_values(self.facts, key)
        if any(mentions(held.lock, key) for held in self.locks):
            self.locks = frozenset(held for held in self.locks if not mentions(held.lock, key))

    def replace(self, key: Key, by: Symbol) -> None:
        """A symbol was found to be another one plus a number: put that in its place."""
        _put_values(self.registers, key, by)
        _put_values(self.facts, key, by)
        stale = [place for place in self.facts if mentions(place, key)]
        for place in stale:
            self.facts[put_in(place, key, by)] = self.facts.pop(place)
        self.locks = frozenset(held._replace(lock=put_in(held.lock, key, by)) for held in self.locks)
        known = self.known.pop(key, None)
        if isinstance(known, int):
            self.known.setdefault(by.key, known - by.offset)

    def drop_registers(self, names: frozenset[str]) -> None:
        """Forget registers that nothing reads any more."""
        for name in names:
            self.registers.pop(name, None)

    def drop_shared_facts(self, exclusive: frozenset[Base]) -> None:
        """Forget what other threads may have changed."""
        if self.facts:
            mine = self.private | exclusive
            self.facts = {place: what for place, what in self.facts.items() if place.base in mine}
        self.seen.clear()
        if self.pending:
            self._drop_untestable()

    def _drop_untestable(self) -> None:
        """A test-and-set whose old value nobody kept cannot be tested any more."""
        kept = (*self.registers.values(), *self.facts.values())
        for key in list(self.pending):
            if not any(mentions(atom, key) for what in kept for atom in what):
                del self.pending[key]


def _age_values(table: dict[K, Value], key: Key) -> None:
    stale = [
        name for name, what in table.items() if any(not isinstance(atom, int) and mentions(atom, key) for atom in what)
    ]
    for name in stale:
        table[name] = value(age(atom, key) if mentions(atom, key) else atom for atom in table[name])


def _put_values(table: dict[K, Value], key: Key, by: Symbol) -> None:
    for name, what in table.items():
        if any(mentions(atom, key) for atom in what):
            table[name] = value(put(atom, key, by) for atom in what)


def merge(old: State, new: State, widen: Key | None) -> bool:
    """Join `new` into `old`; tell whether `old` changed.

    With `widen` (the key of a loop head), numbers that differ become the symbol of that loop.
    """
    changed = bool(old.locks - new.locks) or old.running | new.running != old.running
    old.locks &= new.locks
    old.running |= new.running
    changed |= _merge_values(old.registers, new.registers, widen)
    changed |= _merge_values(old.facts, new.facts, widen)
    changed |= _keep_equal(old.known, new.known) | _keep_equal(old.pending, new.pending)
    changed |= _keep_equal(old.seen, new.seen) | _keep_equal(old.owned, new.owned)
    for lock, taken in new.taken.items():
        old.taken.setdefault(lock, taken)
    for name, count in new.counts.items():
        if count > old.counts.get(name, 0):
            old.counts[name] = count
    private = old.private & new.private
    changed |= private != old.private
    old.private = private
    return changed


def _merge_values(old: dict[K, Value], new: dict[K, Value], widen: Key | None) -> bool:
    """Join tables in place; what only one side knows is forgotten."""
    changed = False
    for name, mine in list(old.items()):
        other = new.get(name)
        if other is None:
            del old[name]
            changed = True
        elif not other <= mine:
            joined = join(mine, other) if widen is None else _widened(mine, other, (*widen, name))
            if joined != mine:
                old[name] = joined
                changed = True
    return changed


def _widened(mine: Value, other: Value, key: Key) -> Value:
    symbol = Symbol(key)
    both = mine | other
    numbers = {atom for atom in both if isinstance(atom, int | Symbol)}
    if len(numbers) < 2 or _constant_or_read(numbers):
        return value(both)
    if numbers - {UNKNOWN} and all(isinstance(atom, int | Symbol) for atom in both):
        return frozenset((symbol,))
    return value(both.difference(numbers) | {symbol})


def _constant_or_read(numbers: set[int | Symbol]) -> bool:
    """Tell whether a value is a constant or what one place held: ``seen = 0; while (!seen) seen = ready;``."""
    reads = {atom for atom in numbers if isinstance(atom, Symbol) and atom.key[0] == "load" and not atom.offset}
    return len(numbers) == 2 and len(reads) == 1 and all(isinstance(atom, int) for atom in numbers - reads)


def _keep_equal(old: dict[K, V], new: dict[K, V]) -> bool:
    lost = [name for name, mine in old.items() if new.get(name) != mine]
    for name in lost:
        del old[name]
    return bool(lost)
