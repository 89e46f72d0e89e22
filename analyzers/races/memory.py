"""Shared memory, summarised: for each place all values that any thread ever stores there."""

from attrs import define, field

from assay.analyzers.races.values import (
    ANY,
    NOTHING,
    UNKNOWN,
    Base,
    Element,
    Instance,
    Location,
    Symbol,
    Value,
    general_path,
    generalise,
    join,
    value,
)

Cell = tuple[Instance, tuple[Element, ...]]

# An array whose elements hold their own index (``ids[i] = i``) is common: it tells threads apart.
INDEX = Symbol(("index",))


@define
class Memory:
    """A flow-insensitive store; `grown` tells that a place already read has got new values.

    With `widening` a place that still gets new numbers holds any number, so that the rounds come to an end.
    """

    cells: dict[Base, dict[Cell, Value]] = field(factory=dict)
    initial: dict[Base, set[tuple[Element, ...]]] = field(factory=dict)
    initial_values: dict[Location, Value] = field(factory=dict)
    read_bases: set[Base] = field(factory=set)
    grown: bool = False
    widening: bool = False

    def start_round(self) -> None:
        """Begin another round over the program; from the second on, growing numbers are widened."""
        self.widening = bool(self.read_bases)
        self.grown = False
        self.read_bases.clear()

    def store(self, location: Location, what: Value) -> None:
        """Add values to a place."""
        last = location.path[-1] if location.path else None
        if isinstance(last, Symbol):
            what = value(INDEX if atom == last else atom for atom in what)
        cell = general_path(location)
        cells = self.cells.setdefault(location.base, {})
        shared = value(generalise(atom) for atom in what)
        old = cells.get(cell, NOTHING)
        new = join(old, shared)
        if new != old:
            if self.widening:
                new = widened(new)
            cells[cell] = new
            self.grown |= location.base in self.read_bases

    def set_initial(self, location: Location, what: Value) -> None:
        """Store what an initialiser gives before any thread runs."""
        self.initial.setdefault(location.base, set()).add(location.path)
        self.initial_values[location] = what
        self.store(location, what)

    def initial_value(self, location: Location) -> Value:
        """Give what a global holds at the start."""
        return frozenset((0,)) if not self.is_initialised(location) else self.initial_values.get(location, NOTHING)

    def is_initialised(self, location: Location) -> bool:
        """Tell whether an initialiser covers a place; what none covers starts as zero."""
        paths = self.initial.get(location.base, ())
        return any(_paths_meet(location.path, path) for path in paths)

    def is_index(self, location: Location) -> bool:
        """Tell whether a place is an element of an array that a loop fills with the elements' own indices."""
        cells = self.cells.get(location.base, {})
        return INDEX in cells.get((location.instance, (*location.path[:-1], ANY)), NOTHING)

    def load(self, location: Location) -> Value:
        """Give all values a place may hold; empty if nothing was ever stored there."""
        self.read_bases.add(location.base)
        cells = self.cells.get(location.base)
        if cells is None:
            return NOTHING
        instance, path = general_path(location)
        found = NOTHING
        for (other_instance, other_path), what in cells.items():
            if _covers(instance, other_instance) and _paths_meet(path, other_path):
                found = join(found, what) if found else what
        if INDEX in found and location.path:
            last = location.path[-1]
            found = value(last if atom == INDEX and not isinstance(last, str) else atom for atom in found)
        return found

    def copy(self, target: Location, source: Location) -> None:
        """Copy every part of one object into another."""
        depth = len(source.path)
        for (_instance, path), what in list(self.cells.get(source.base, {}).items()):
            if path[:depth] == general_path(source)[1]:
                self.store(Location(target.base, target.instance, (*target.path, *path[depth:])), what)


def widened(what: Value) -> Value:
    """Replace numbers by any number."""
    numbers = [atom for atom in what if isinstance(atom, int | Symbol)]
    return value(what.difference(numbers) | {UNKNOWN}) if len(numbers) > 1 else what


def _covers(one: Instance, other: Instance) -> bool:
    return one == other or ANY in (one, other)


def _paths_meet(one: tuple[Element, ...], other: tuple[Element, ...]) -> bool:
    if one == other:
        return True
    if len(one) != len(other):
        shorter, longer = sorted((one, other), key=len)
        return longer[: len(shorter)] == shorter and set(longer[len(shorter) :]) <= {0, ANY}
    return all(
        mine == its or ((mine == ANY or its == ANY) and not isinstance(mine, str))
        for mine, its in zip(one, other, strict=True)
    )
