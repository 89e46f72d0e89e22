"""The abstract values of the race analysis: sets of numbers, symbols, addresses, functions and threads.

A value is a frozenset of atoms: what an expression may be.  Locations are objects (`Base`) with an instance
and a path of fields and indices.  A `Symbol` is a number or pointer that is unknown but fixed: two uses of one
symbol are equal, which is what makes ``lock(&a[i].m); a[i].x++`` a guarded access.
"""

from collections.abc import Hashable, Iterable
from typing import NamedTuple

Key = tuple[Hashable, ...]


class Symbol(NamedTuple):
    """An unknown number (or pointer) plus a known offset; `key` says where it came from."""

    key: Key
    offset: int = 0

    @property
    def fixed(self) -> bool:
        """Tell whether two uses within one thread mean the same number."""
        return self.key[0] not in ("unknown", "old")

    @property
    def distinct(self) -> bool:
        """Tell whether every thread instance has another number."""
        return self.key[0] == "thread"


def term(operator: str, left: "int | Symbol", right: "int | Symbol") -> Symbol:
    """Name the result of an operation on symbols: equal operands give equal results."""
    if any(isinstance(part, Symbol) and not part.fixed for part in (left, right)):
        return UNKNOWN
    made = Symbol(("term", operator, left, right))
    return made if _depth(made) <= MAX_TERM else UNKNOWN


def _depth(part: object) -> int:
    if not isinstance(part, Symbol):
        return 0
    return 1 + max((_depth(inner) for inner in part.key[2:]), default=0) if part.key[0] == "term" else 1


UNKNOWN = Symbol(("unknown",))
ANY = Symbol(("unknown", "any"))


def fold(op: str, one: int, other: int) -> int | Symbol:
    """Compute with two numbers; what C does not define, or what would be huge, is unknown."""
    try:
        match op:
            case "+":
                return one + other
            case "-":
                return one - other
            case "*":
                return one * other if abs(one) < 1 << 40 and abs(other) < 1 << 40 else UNKNOWN
            case "/":
                return int(one / other) if abs(one) < 1 << 50 else UNKNOWN
            case "%":
                return one - other * int(one / other) if abs(one) < 1 << 50 else UNKNOWN
            case "&":
                return one & other
            case "|":
                return one | other
            case "^":
                return one ^ other
            case "<<":
                return one << other if 0 <= other < 64 and abs(one) < 1 << 64 else UNKNOWN
            case ">>":
                return one >> other if 0 <= other < 64 else UNKNOWN
            case _:
                return UNKNOWN
    except (ZeroDivisionError, OverflowError):
        return UNKNOWN


class Base(NamedTuple):
    """An object: a global, a local of one activation, an allocation, or what an unknown pointer points to.

    `context` is the calling context that made it (0 for globals).
    """

    kind: str  # "global", "local", "heap", "object", "null"
    name: str
    context: int = 0


Element = str | int | Symbol
Instance = int | Symbol


class Location(NamedTuple):
    """A part of an object; as an atom of a value, a pointer to it."""

    base: Base
    instance: Instance = 0
    path: tuple[Element, ...] = ()

    def member(self, name: str) -> "Location":
        """Give the location of a field."""
        return Location(self.base, self.instance, (*self.path, name))

    def element(self, index: Element) -> "Location":
        """Give the location of an element."""
        return Location(self.base, self.instance, (*self.path, index))

    @property
    def precise(self) -> bool:
        """Tell whether this is one place and not a summary of several."""
        return _is_fixed(self.instance) and all(isinstance(part, str) or _is_fixed(part) for part in self.path)


class FunctionValue(NamedTuple):
    """A pointer to a function of the program."""

    function: str


class ThreadValue(NamedTuple):
    """The handle of a thread, by its number."""

    thread: int


class Predicate(NamedTuple):
    """The truth value of ``symbol op constant``."""

    symbol: Symbol
    operator: str
    constant: int


Atom = int | Symbol | Location | FunctionValue | ThreadValue | Predicate
Value = frozenset[Atom]

NOTHING: Value = frozenset()
ZERO: Value = frozenset((0,))
TOP: Value = frozenset((UNKNOWN,))
NULL = Base("null", "0")
MAX_NUMBERS, MAX_ATOMS, MAX_TERM = 5, 24, 5


def _is_fixed(part: int | Symbol) -> bool:
    return isinstance(part, int) or part.fixed


def value(atoms: Iterable[Atom]) -> Value:
    """Make a value, giving up on numbers when there are too many of them."""
    whole = frozenset(atoms)
    if len(whole) <= 1:
        return whole
    numbers = [atom for atom in whole if isinstance(atom, int | Symbol | Predicate)]
    if len(numbers) > MAX_NUMBERS or (UNKNOWN in whole and len(numbers) > 1):
        whole = whole.difference(numbers) | TOP
    if len(whole) > MAX_ATOMS:
        return frozenset(ordered(whole)[:MAX_ATOMS])
    return whole


def join(left: Value, right: Value) -> Value:
    """Give the least value that covers both."""
    if left == right or right <= left:
        return left
    return value(left | right)


def single(what: Value) -> Atom | None:
    """Give the only atom of a value, if it has just one."""
    return next(iter(what)) if len(what) == 1 else None


def ordered(what: Value) -> list[Atom]:
    """Give the atoms in an order that does not depend on hashing, for work whose result depends on it."""
    return sorted(what, key=repr) if len(what) > 1 else list(what)


def generalise(atom: Atom) -> Atom:
    """Make an atom fit for memory that other threads read: thread-private symbols mean nothing there."""
    if isinstance(atom, Location):
        path = tuple(ANY if isinstance(part, Symbol) else part for part in atom.path)
        return Location(atom.base, ANY if isinstance(atom.instance, Symbol) else atom.instance, path)
    if isinstance(atom, Symbol):
        return Symbol(atom.key) if atom.key[0] in ("call", "parameter", "initial", "index") else UNKNOWN
    return UNKNOWN if isinstance(atom, Predicate) else atom


def general(location: Location) -> Location:
    """Give the location under which shared memory keeps another."""
    made = generalise(location)
    assert isinstance(made, Location)
    return made


def general_path(location: Location) -> tuple[Instance, tuple[Element, ...]]:
    """Give the (instance, path) under which shared memory keeps a location."""
    made = general(location)
    return made.instance, made.path


def mentions(atom: Atom | Element, key: Key) -> bool:
    """Tell whether an atom depends on a symbol."""
    if isinstance(atom, Location):
        return mentions(atom.instance, key) or any(isinstance(part, Symbol) and _uses(part, key) for part in atom.path)
    if isinstance(atom, Predicate):
        return _uses(atom.symbol, key)
    return isinstance(atom, Symbol) and _uses(atom, key)


def _uses(symbol: Symbol, key: Key) -> bool:
    if symbol.key[0] == "term":
        return any(isinstance(part, Symbol) and _uses(part, key) for part in symbol.key[2:])
    return symbol.key == key


def age(atom: Atom, key: Key) -> Atom:
    """Replace a symbol that is about to get a new meaning."""
    if isinstance(atom, Location):
        path = tuple(_old(part) if isinstance(part, Symbol) and _uses(part, key) else part for part in atom.path)
        instance = _old(atom.instance) if mentions(atom.instance, key) else atom.instance
        return Location(atom.base, instance, path)
    return UNKNOWN if isinstance(atom, Predicate) else _old(atom)


def put(atom: Atom, key: Key, by: Symbol) -> Atom:
    """Put another symbol in the place of one, which is `by` plus its own offset."""
    if isinstance(atom, Location):
        return put_in(atom, key, by)
    if isinstance(atom, Predicate):
        return UNKNOWN if _uses(atom.symbol, key) else atom
    return _put(atom, key, by) if isinstance(atom, Symbol) else atom


def put_in(location: Location, key: Key, by: Symbol) -> Location:
    """Put another symbol in the place of one in a location."""
    path = tuple(_put(part, key, by) if isinstance(part, Symbol) else part for part in location.path)
    instance = location.instance
    return Location(location.base, _put(instance, key, by) if isinstance(instance, Symbol) else instance, path)


def _put(symbol: Symbol, key: Key, by: Symbol) -> Symbol:
    if symbol.key == key:
        return Symbol(by.key, by.offset + symbol.offset)
    if symbol.key[0] == "term" and _uses(symbol, key):
        operator, *parts = symbol.key[1:]
        inner = [_put(part, key, by) if isinstance(part, Symbol) else part for part in parts]
        return Symbol(("term", operator, *inner), symbol.offset)
    return symbol


def _old(part: Atom | Instance) -> Symbol:
    return Symbol(("old", *part.key)) if isinstance(part, Symbol) else UNKNOWN
