"""Evaluate expressions and places in a state, noting every access on the way."""

import operator as operators
from collections.abc import Callable

from assay.analyzers.races import ir
from assay.analyzers.races.engine import Engine, Frame
from assay.analyzers.races.memory import INDEX
from assay.analyzers.races.state import State
from assay.analyzers.races.values import (
    ANY,
    NOTHING,
    NULL,
    TOP,
    UNKNOWN,
    ZERO,
    Atom,
    Base,
    Element,
    FunctionValue,
    Key,
    Location,
    Predicate,
    Symbol,
    Value,
    fold,
    general_path,
    ordered,
    single,
    term,
    value,
)

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operators.eq,
    "!=": operators.ne,
    "<": operators.lt,
    "<=": operators.le,
    ">": operators.gt,
    ">=": operators.ge,
}
NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
WRAPS = 1 << 31  # numbers from here on may be negative in the variable that holds them
BOOLEAN: Value = frozenset((0, 1))


class Evaluator:
    """Evaluates in one state of one frame."""

    def __init__(self, engine: Engine, frame: Frame, state: State) -> None:
        self.engine, self.frame, self.state = engine, frame, state

    # ------------------------------------------------------------------------------------------- expressions

    def value(self, expression: ir.Expression) -> Value:
        """Give the value of an expression."""
        match expression:
            case ir.Register():
                return self._resolve(self.state.registers.get(expression.name, TOP))
            case ir.Constant():
                return frozenset((expression.value,))
            case ir.Read():
                return self.load(expression.place, expression.site, expression.atomic)
            case ir.Address():
                return value(self.locations(expression.place))
            case ir.Compare():
                return self._compare(expression.op, self.value(expression.left), self.value(expression.right))
            case ir.Arithmetic():
                return self.arithmetic(expression.op, self.value(expression.left), self.value(expression.right))
            case ir.Not():
                return self._not(self.value(expression.operand))
            case ir.FunctionName():
                return frozenset((FunctionValue(expression.name),))
            case ir.Unknown():
                return self.fresh("call", expression.site)
            case ir.Mixed():
                for operand in expression.operands:
                    self.value(operand)
                return TOP

    def fresh(self, kind: str, site: ir.Site) -> Value:
        """Make the symbol of a site; what held its former meaning is aged."""
        key = self._key(kind, site)
        self.engine.renew(self.state, key)
        return frozenset((Symbol(key),))

    def _key(self, kind: str, site: ir.Site) -> Key:
        return kind, self.frame.context, site

    def _resolve(self, what: Value) -> Value:
        atom = single(what)
        if isinstance(atom, Symbol) and self.state.known:
            known = self.state.known.get(atom.key)
            if isinstance(known, int):
                return frozenset((known + atom.offset,))
        return what

    def _compare(self, op: str, left: Value, right: Value) -> Value:
        outcomes: set[Atom] = set()
        for one in left:
            for other in right:
                outcomes |= self._compare_atoms(op, one, other)
                if 0 in outcomes and 1 in outcomes:
                    return BOOLEAN
        return frozenset(outcomes) or BOOLEAN

    def _compare_atoms(self, op: str, one: Atom, other: Atom) -> Value:
        if isinstance(one, int) and isinstance(other, int):
            if one != other and max(abs(one), abs(other)) >= WRAPS:
                return BOOLEAN
            return frozenset((int(COMPARE[op](one, other)),))
        if isinstance(one, Symbol) and isinstance(other, int):
            return self._predicate(Predicate(Symbol(one.key), op, other - one.offset))
        if isinstance(one, int) and isinstance(other, Symbol):
            return self._predicate(Predicate(Symbol(other.key), MIRRORED[op], one - other.offset))
        if isinstance(one, Predicate) and isinstance(other, int) and op in ("==", "!="):
            wanted = (other != 0) == (op == "==")
            return frozenset((one if wanted else _negate(one),)) if other in (0, 1) else BOOLEAN
        if isinstance(one, Location | FunctionValue) and other == 0 and op in ("==", "!="):
            return frozenset((int(op == "!="),))
        if isinstance(one, Symbol) and one == other and one.fixed:
            return frozenset((int(op in ("==", "<=", ">=")),))
        if isinstance(one, Location) and isinstance(other, Location) and one.base != other.base:
            return frozenset((int(op == "!="),)) if op in ("==", "!=") else BOOLEAN
        return self._same(op, one, other) if op in ("==", "!=") else BOOLEAN

    def _same(self, op: str, one: Atom, other: Atom) -> Value:
        """Compare two numbers, or two places that differ in one number: their difference is compared with 0."""
        left, right = _differing(one, other)
        if isinstance(left, int) and isinstance(right, int):
            return frozenset((int((left == right) == (op == "==")),))
        if isinstance(left, int) or isinstance(right, int):
            return self._compare_atoms(op, left, right)
        difference = term("-", left, right)
        return self._predicate(Predicate(difference, op, 0))

    def _predicate(self, predicate: Predicate) -> Value:
        if not predicate.symbol.fixed:
            return BOOLEAN
        known = self.state.known.get(predicate.symbol.key)
        if isinstance(known, int):
            return frozenset((int(COMPARE[predicate.operator](known, predicate.constant)),))
        if known is not None and predicate.constant in known and predicate.operator in ("==", "!="):
            return frozenset((int(predicate.operator == "!="),))
        return frozenset((predicate,))

    def _not(self, operand: Value) -> Value:
        return value(atom for one in operand for atom in self._negations(one))

    def _negations(self, atom: Atom) -> Value:
        if isinstance(atom, int):
            return frozenset((int(atom == 0),))
        if isinstance(atom, Predicate):
            return frozenset((_negate(atom),))
        if isinstance(atom, Symbol):
            return self._compare_atoms("==", atom, 0)
        return ZERO

    def arithmetic(self, op: str, left: Value, right: Value) -> Value:
        """Compute with two values."""
        if op in ("&&", "||"):
            return _logical(op, left, right)
        if len(left) * len(right) > 16:
            return TOP
        return value(self._combine(op, one, other) for one in left for other in right) or TOP

    def _combine(self, op: str, one: Atom, other: Atom) -> Atom:
        if isinstance(one, int) and isinstance(other, int):
            return fold(op, one, other)
        if isinstance(other, Location) and not isinstance(one, Location):
            return _advance(other, one) if op == "+" else UNKNOWN
        if isinstance(one, Location):
            if isinstance(other, Location):
                return _container(one, other) if op == "-" else UNKNOWN
            return _advance(one, other if op == "+" else _minus(other)) if op in ("+", "-") else UNKNOWN
        if isinstance(one, Symbol) and isinstance(other, int) and op in ("+", "-"):
            return Symbol(one.key, one.offset + (other if op == "+" else -other)) if one.fixed else UNKNOWN
        if isinstance(other, Symbol) and isinstance(one, int) and op == "+":
            return Symbol(other.key, other.offset + one) if other.fixed else UNKNOWN
        if isinstance(one, Symbol) and isinstance(other, Location) and op == "-":
            return _object(one)
        if isinstance(one, int | Symbol) and isinstance(other, int | Symbol):
            return term(op, one, other)
        return UNKNOWN

    # ------------------------------------------------------------------------------------------------ places

    def locations(self, place: ir.Place) -> tuple[Location, ...]:
        """Give the locations a place may denote; reads the pointers on the way."""
        match place:
            case ir.Variable():
                if place.owner:
                    return (Location(Base("local", f"{place.owner}.{place.name}", self.frame.context)),)
                return (Location(Base("global", place.name)),)
            case ir.Pointee():
                return tuple(_targets(self.value(place.pointer)))
            case ir.Member():
                return tuple(location.member(place.name) for location in self.locations(place.base))
            case ir.Element():
                bases = self.locations(place.base)
                index = self._index(self.value(place.index))
                return tuple(location.element(index) for location in bases)

    def _index(self, what: Value) -> Element:
        atom = single(what)
        return atom if isinstance(atom, int | Symbol) else ANY

    def load(self, place: ir.Place, site: ir.Site, atomic: bool = False) -> Value:
        """Read a place."""
        found: set[Atom] = set()
        for location in self.locations(place):
            self.engine.record(self.frame, self.state, location, site, False, atomic)
            held = self.peek(location, site)
            self._see(location, held)
            found |= held
        return self._resolve(value(found)) if found else self.fresh("load", site)

    def _see(self, location: Location, held: Value) -> None:
        """Remember in a critical section where it found pointers to shared objects."""
        state = self.state
        if state.guarded and location.base not in state.private:
            things = frozenset(atom for atom in held if isinstance(atom, Location) and atom.base.kind == "heap")
            if things:
                state.seen[location] = things

    def peek(self, location: Location, site: ir.Site) -> Value:
        """Give what a location holds, without an access."""
        state = self.state
        known = state.facts.get(location)
        if known is not None:
            return self._resolve(known)
        if location.base in state.private:
            return self._private(location) or self.fresh("load", site)
        stored = self.engine.memory.load(location)
        if not self._own(location):
            stored = value(map(self._any_copy, stored))
        stored = self._import(stored, site)
        stored = stored | ZERO if stored and self._starts_as_zero(location) else stored or self._initial(location, site)
        latch = self.engine.latches.get(location)
        if latch is not None and single(stored) is None:
            stored = self.fresh("load", site)
            self.engine.watched[self._key("load", site)] = (location, latch.before)
        if location.precise and self.engine.lasting(self.frame, state, location.base):
            stored = stored if single(stored) is not None else self._named(stored, site)
            state.facts[location] = stored
        return stored

    def _named(self, stored: Value, site: ir.Site) -> Value:
        """Give several possible numbers one name, so that a later test tells something about this read."""
        if all(isinstance(atom, int | Symbol) for atom in stored):
            return self.fresh("load", site)
        return stored

    def _private(self, location: Location) -> Value:
        found = NOTHING
        for other, what in self.state.facts.items():
            if other.base == location.base and _may_meet(location, other):
                found |= what
        return value(found)

    def _own(self, location: Location) -> bool:
        """Tell whether every thread has a place of its own here."""
        numbers = (location.instance, *location.path)
        distinct = any(isinstance(part, Symbol) and part.distinct for part in numbers)
        return distinct or location.base.name in self.engine.program.thread_local

    def _any_copy(self, atom: Atom) -> Atom:
        """What each thread of a walk made is, when found in shared memory, that of any of them."""
        if not isinstance(atom, Location) or atom.base.kind not in ("local", "heap"):
            return atom
        maker = self.engine.walks[self.engine.owner_of(atom.base)]
        return atom if maker.initial else atom._replace(instance=ANY)

    def _import(self, stored: Value, site: ir.Site) -> Value:
        """Take values from shared memory: summaries get a name that is fixed for this read."""
        if not any(_is_summary(atom) for atom in stored):
            return stored
        symbol = next(iter(self.fresh("load", site)))
        assert isinstance(symbol, Symbol)
        return value(_named_by(atom, symbol) for atom in stored)

    def _starts_as_zero(self, location: Location) -> bool:
        """Tell whether a global may still hold the zero it started with."""
        memory, walk = self.engine.memory, self.frame.walk
        if location.base.kind != "global" or memory.is_initialised(location) or memory.is_index(location):
            return False
        running = self.engine.written.get(Location(location.base, *general_path(location)))
        return walk.initial or running is None or bool(running & self.engine.threads.all[walk.thread].bit)

    def _initial(self, location: Location, site: ir.Site) -> Value:
        """What a place holds that nothing was ever stored to."""
        base = location.base
        if base.kind == "global" and self.engine.program.entry in self.engine.program.functions:
            return ZERO
        if base.kind in ("global", "object"):
            return frozenset((Symbol(("initial", base, location.path)),))
        return self.fresh("load", site)


def _differing(one: Atom, other: Atom) -> tuple[int | Symbol, int | Symbol]:
    """Give the only numbers in which two atoms differ; unknown ones where that is not so."""
    if isinstance(one, Symbol) and isinstance(other, Symbol):
        return one, other
    if isinstance(one, Location) and isinstance(other, Location) and len(one.path) == len(other.path):
        pairs = zip((one.instance, *one.path), (other.instance, *other.path), strict=True)
        different = [(mine, its) for mine, its in pairs if mine != its or mine in (ANY, UNKNOWN)]
        if len(different) == 1:
            mine, its = different[0]
            if not isinstance(mine, str) and not isinstance(its, str):
                return mine, its
    return UNKNOWN, UNKNOWN


def _is_summary(atom: Atom) -> bool:
    if isinstance(atom, Location):
        return atom.instance == ANY or ANY in atom.path
    return atom in (UNKNOWN, ANY, INDEX)


def _named_by(atom: Atom, symbol: Symbol) -> Atom:
    if isinstance(atom, Location):
        path = tuple(symbol if part == ANY else part for part in atom.path)
        return Location(atom.base, symbol if atom.instance == ANY else atom.instance, path)
    return symbol if atom in (UNKNOWN, ANY, INDEX) else atom


def _may_meet(one: Location, other: Location) -> bool:
    if len(one.path) != len(other.path):
        return False
    return all(
        mine == its or (isinstance(mine, Symbol) or isinstance(its, Symbol))
        for mine, its in zip(one.path, other.path, strict=True)
    )


def _negate(predicate: Predicate) -> Predicate:
    return Predicate(predicate.symbol, NEGATED[predicate.operator], predicate.constant)


def truths(what: Value) -> tuple[bool, bool]:
    """Tell whether a value may be true, and whether it may be false."""
    may_true = may_false = False
    for atom in what:
        if isinstance(atom, int):
            may_true |= atom != 0
            may_false |= atom == 0
        elif isinstance(atom, Symbol | Predicate):
            return True, True
        else:
            may_true = True
    return may_true, may_false


def _logical(op: str, left: Value, right: Value) -> Value:
    (left_true, left_false), (right_true, right_false) = truths(left), truths(right)
    if op == "&&":
        if left == frozenset((1,)):
            return right
        may_true, may_false = left_true and right_true, left_false or right_false
    else:
        may_true, may_false = left_true or right_true, left_false and right_false
    return frozenset(number for number, may in ((1, may_true), (0, may_false)) if may)


def _minus(atom: Atom) -> Atom:
    return -atom if isinstance(atom, int) else UNKNOWN


def _advance(location: Location, by: Atom) -> Location:
    """Pointer arithmetic: moves the last index; a pointer to a whole object becomes one to an element."""
    last = location.path[-1] if location.path else None
    if by == 0:
        return location
    if not isinstance(by, int | Symbol):
        by = ANY
    if isinstance(last, int) and isinstance(by, int):
        return Location(location.base, location.instance, (*location.path[:-1], last + by))
    if isinstance(last, int) and isinstance(by, Symbol):
        moved = Symbol(by.key, by.offset + last) if by.fixed else ANY
        return Location(location.base, location.instance, (*location.path[:-1], moved))
    if isinstance(last, Symbol):
        moved = Symbol(last.key, last.offset + by) if isinstance(by, int) and last.fixed else ANY
        return Location(location.base, location.instance, (*location.path[:-1], moved))
    return location.element(by)


def _container(member: Location, offset: Location) -> Atom:
    """``container_of``: a member's address minus the offset of that member is the structure."""
    if offset.base != NULL:
        return UNKNOWN
    size = len(offset.path)
    if size and member.path[-size:] == offset.path:
        return Location(member.base, member.instance, member.path[:-size])
    return Location(Base("object", f"container of {member.base.name}", member.base.context), member.instance, (0,))


def _object(symbol: Symbol) -> Location:
    """What an unknown pointer points to."""
    return Location(Base("object", repr(symbol.key)), symbol if symbol.key[0] == "load" else 0, (0,))


def _targets(pointer: Value) -> list[Location]:
    found = []
    for atom in ordered(pointer):
        if isinstance(atom, Location):
            found.append(atom)
        elif isinstance(atom, Symbol) and atom.key[0] in ("call", "parameter", "initial"):
            found.append(_advance(_object(Symbol(atom.key)), atom.offset))
        elif isinstance(atom, int) and len(pointer) == 1:
            found.append(Location(NULL))
    return found
