"""What a store does: to memory, to what a thread knows of it, and to variables that synchronise."""

from assay.analyzers.races import ir
from assay.analyzers.races.engine import Engine, Frame
from assay.analyzers.races.flags import Store
from assay.analyzers.races.ir import Mode
from assay.analyzers.races.refine import settle
from assay.analyzers.races.state import Held, State
from assay.analyzers.races.values import (
    TOP,
    Atom,
    Location,
    Symbol,
    Value,
    general_path,
    join,
    mentions,
    ordered,
    single,
)


class Stores:
    """Stores of one frame.

    Memory that only this thread can reach is known exactly.  Shared memory keeps all values ever stored; that a place
    holds the last one is remembered only while no other thread can change it.
    """

    def __init__(self, engine: Engine, frame: Frame) -> None:
        self.engine, self.frame = engine, frame

    def write(self, state: State, locations: tuple[Location, ...], what: Value, site: ir.Site, atomic: bool) -> None:
        """Carry out an assignment: an access of each location, and its new value."""
        for location in locations:
            before = state.locks
            taking = self._takes(state, location, what, atomic)
            if taking:
                state.locks |= {Held(location, flag=True)}
            self.engine.record(self.frame, state, location, site, True, atomic)
            state.locks = before
            self.store(state, location, what, strong=len(locations) == 1, atomic=atomic)

    def store(self, state: State, location: Location, what: Value, *, strong: bool, atomic: bool = False) -> None:
        """Put a value into memory."""
        if location.base.kind == "null":
            return
        if location.base in state.private:
            self._store_private(state, location, what, strong)
            return
        self.publish(state, what)
        self._take_out(state, location, what)
        if self.engine.alone(self.frame, state):
            number = single(what)
            early = self.engine.early.setdefault(self._place(location), set())
            early.add(number if isinstance(number, int) else None)
        else:
            self._flag(state, location, what, atomic)
        if self.frame.walk.initial:
            self.engine.wrote(self._place(location), state.running)
        self.engine.memory.store(location, what)
        lasting = self.engine.lasting(self.frame, state, location.base)
        self._remember(state, location, what, exact=strong and location.precise and lasting)

    def publish(self, state: State, what: Value) -> None:
        """Other threads may reach these objects from now on, and all that they point to."""
        todo = [atom.base for atom in ordered(what) if isinstance(atom, Location) and atom.base in state.private]
        while todo:
            base = todo.pop()
            if base not in state.private:
                continue
            state.private -= {base}
            self.frame.effects = True
            for place in [place for place in state.facts if place.base == base]:
                held = state.facts.pop(place)
                self.engine.memory.store(place, held)
                todo += [atom.base for atom in ordered(held) if isinstance(atom, Location)]

    def _take_out(self, state: State, location: Location, what: Value) -> None:
        """The pointer that a critical section found in a place is overwritten, or the index of that place is moved.

        What is stored is given away; the object behind the only pointer stored is not taken out by this store.
        """
        given = frozenset((atom.base, atom.instance) for atom in what if isinstance(atom, Location))
        for thing in given:
            state.owned.pop(thing, None)
        if not state.seen or not state.guarded:
            return
        locks = frozenset(Held(held.lock, Mode.TAKEN, held.flag) for held in state.locks if held.excludes)
        old = single(state.facts.get(location, TOP))
        for place, found in state.seen.items():
            if place == location or (isinstance(old, Symbol) and mentions(place, old.key)):
                things = {(atom.base, atom.instance) for atom in found if isinstance(atom, Location)}
                state.owned.update(dict.fromkeys(things - given if len(given) == 1 else things, locks))

    def forget_object(self, state: State, location: Location) -> None:
        """An unknown part of an object was overwritten with unknown values."""
        for place in [place for place in state.facts if place.base == location.base]:
            del state.facts[place]
        if location.base in state.private:
            state.facts[location] = TOP
        else:
            self.engine.memory.store(location, TOP)

    def _takes(self, state: State, location: Location, what: Value, atomic: bool) -> bool:
        """Tell whether a store takes a hand-made lock for certain: nobody else can hold it at that moment."""
        if location.base in state.private or not location.precise or not (state.guarded or atomic):
            return False
        if self._place(location) in self.engine.rejected:
            return False
        new, old = single(what), self._old(state, location)
        return (
            isinstance(new, int)
            and isinstance(old, int)
            and old != new
            and Held(location, flag=True) not in state.locks
        )

    def _old(self, state: State, location: Location) -> Atom | None:
        old = single(state.facts.get(location, TOP))
        if isinstance(old, Symbol):
            known = state.known.get(old.key)
            return known + old.offset if isinstance(known, int) else old
        return old

    def _store_private(self, state: State, location: Location, what: Value, strong: bool) -> None:
        exact = strong and location.precise
        old = None if exact else state.facts.get(location)
        state.facts[location] = what if old is None else join(old, what)
        if not exact:
            self._weaken(state, location, what)
        if location.base.context != self.frame.context:
            self.frame.effects = True

    def _weaken(self, state: State, location: Location, what: Value) -> None:
        for other in [place for place in state.facts if place.base == location.base and place != location]:
            state.facts[other] = join(state.facts[other], what)

    def _remember(self, state: State, location: Location, what: Value, *, exact: bool) -> None:
        stale = [place for place in state.facts if place.base == location.base and place != location]
        for place in stale:
            if not (exact and place.precise and _apart(place, location)):
                del state.facts[place]
        if exact:
            state.facts[location] = what
        else:
            state.facts.pop(location, None)

    def _flag(self, state: State, location: Location, what: Value, atomic: bool) -> None:
        """Watch a store to a variable that may synchronise: a hand-made lock, a latch or a ticket counter.

        Storing a constant over another known value, with no other thread able to come between, takes a lock;
        any store while it is held gives it back.  Whether every store in the program obeys this protocol is
        decided after the round.
        """
        place = self._place(location)
        if place in self.engine.latches:
            state.locks |= {Held(place, Mode.AFTER)}
        kind, free = "plain", 0
        if location.precise and place not in self.engine.rejected and location.base not in self.engine.exclusive:
            kind, free = self._protocol(state, location, what, atomic)
        new = single(what)
        constant = new if isinstance(new, int) else None
        step = self._step(state, location, place, what)
        store = Store(kind, free, constant, step, state.locks, atomic, self.frame.walk.number)
        self.engine.stores.setdefault(place, {})[store] = None
        if kind == "acquire":
            state.locks |= {Held(location, flag=True)}

    def _protocol(self, state: State, location: Location, what: Value, atomic: bool) -> tuple[str, int]:
        held = Held(location, flag=True)
        if held in state.locks:
            state.locks -= {held}
            return "release", 0
        new, old = single(what), self._old(state, location)
        if not isinstance(new, int) or not (state.guarded or atomic):
            return "plain", 0
        if isinstance(old, int):
            return ("acquire", old) if old != new else ("plain", 0)
        if isinstance(old, Symbol) and old.fixed:
            state.pending[old.key] = (location, new)
            settle(state, Symbol(old.key))
            return "test", new
        return "plain", 0

    def _step(self, state: State, location: Location, place: Location, what: Value) -> int:
        """Give by how much a store lets a counter grow; its old value is then a ticket."""
        old, new = single(state.facts.get(location, TOP)), single(what)
        if not (isinstance(old, Symbol) and isinstance(new, Symbol) and old.key == new.key and old.fixed):
            return 0
        step = new.offset - old.offset
        if step > 0:
            self.engine.counters[old.key] = place
        return step

    def _place(self, location: Location) -> Location:
        return Location(location.base, *general_path(location))


def _apart(one: Location, other: Location) -> bool:
    """Tell whether two precise locations of one object are certainly different and do not contain each other."""
    if one.instance != other.instance:
        return isinstance(one.instance, int) and isinstance(other.instance, int)
    for mine, its in zip(one.path, other.path, strict=False):
        if mine != its:
            return type(mine) is type(its) and not isinstance(mine, Symbol)
    return False
