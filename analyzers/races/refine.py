"""Learn from a condition: which states can pass it, and what they then know."""

from collections.abc import Mapping

from assay.analyzers.races import ir
from assay.analyzers.races.evaluate import COMPARE, NEGATED, truths
from assay.analyzers.races.ir import Mode
from assay.analyzers.races.state import Held, State
from assay.analyzers.races.values import Atom, Key, Location, Predicate, Symbol, Value, single

_REPLACED = ("call", "load")
Watched = Mapping[Key, tuple[Location, frozenset[int]]]


def assume(state: State, condition: ir.Expression, what: Value, truth: bool, watched: Watched) -> bool:
    """Restrict a state to a condition, whose value is `what`, being true or false; False if it cannot be.

    `watched` are the symbols that are values of a latch, with its place and its values before it is left.
    """
    possible = _assume(state, condition, what, truth)
    if possible and watched and state.known:
        _observe(state, watched)
    return possible


def _observe(state: State, watched: Watched) -> None:
    """Who sees that a latch has left its first values comes after all that was done before."""
    for key, known in state.known.items():
        if key in watched:
            place, before = watched[key]
            left = known not in before if isinstance(known, int) else before <= known
            if left:
                state.locks |= {Held(place, Mode.AFTER)}


def _assume(state: State, condition: ir.Expression, what: Value, truth: bool) -> bool:
    may_true, may_false = truths(what)
    if not (may_true if truth else may_false):
        return False
    if not _by_value(state, single(what), truth):
        return False
    return _by_shape(state, condition, truth)


def _by_value(state: State, atom: Atom | None, truth: bool) -> bool:
    if isinstance(atom, Predicate):
        operator = atom.operator if truth else NEGATED[atom.operator]
        return _learn(state, atom.symbol, operator, atom.constant)
    if isinstance(atom, Symbol) and atom.fixed:
        return _learn(state, Symbol(atom.key), "!=" if truth else "==", -atom.offset)
    return True


def _learn(state: State, symbol: Symbol, operator: str, constant: int) -> bool:
    known = state.known.get(symbol.key)
    if isinstance(known, int):
        return COMPARE[operator](known, constant)
    if operator == "==":
        if known is not None and constant in known:
            return False
        state.known[symbol.key] = constant
        equate(state, symbol, constant)
    elif operator == "!=":
        state.known[symbol.key] = (known or frozenset()) | {constant}
    settle(state, symbol)
    return True


def equate(state: State, symbol: Symbol, number: int) -> None:
    """Where a difference of two symbols is known, put one in the other's place: they name the same elements and locks.

    Only what was read or returned is replaced; the symbols of loops and threads mean more than a number.
    """
    if symbol.key[:2] != ("term", "-"):
        return
    left, right = symbol.key[2:]
    if isinstance(left, Symbol) and isinstance(right, Symbol):
        if left.key[0] in _REPLACED:
            state.replace(left.key, Symbol(right.key, right.offset - left.offset + number))
        elif right.key[0] in _REPLACED:
            state.replace(right.key, Symbol(left.key, left.offset - right.offset - number))


def settle(state: State, symbol: Symbol) -> None:
    """A test-and-set whose old value is now known to differ from what it stored took the lock."""
    waiting = state.pending.get(symbol.key)
    if waiting is None:
        return
    location, stored = waiting
    known = state.known.get(symbol.key)
    taken = known != stored if isinstance(known, int) else known is not None and stored in known
    if taken:
        state.locks |= {Held(location, flag=True)}
    if taken or isinstance(known, int):
        del state.pending[symbol.key]


def _by_shape(state: State, condition: ir.Expression, truth: bool) -> bool:
    """Filter the values of registers that the condition compares with a constant."""
    match condition:
        case ir.Not():
            return _by_shape(state, condition.operand, not truth)
        case ir.Register():
            return _filter(state, condition.name, "!=" if truth else "==", 0)
        case ir.Compare(op=op, left=ir.Register(name=name), right=ir.Constant(value=constant)):
            return _filter(state, name, op if truth else NEGATED[op], constant)
        case ir.Arithmetic(op="&&") if truth:
            return _by_shape(state, condition.left, True) and _by_shape(state, condition.right, True)
        case ir.Arithmetic(op="||") if not truth:
            return _by_shape(state, condition.left, False) and _by_shape(state, condition.right, False)
        case _:
            return True


def _filter(state: State, register: str, operator: str, constant: int) -> bool:
    what = state.registers.get(register)
    if what is None:
        return True
    kept = frozenset(atom for atom in what if _may_satisfy(atom, operator, constant))
    if kept and kept != what:
        state.registers[register] = kept
    atom = single(kept)
    if isinstance(atom, Predicate) and operator in ("==", "!=") and constant == 0:
        return _by_value(state, atom, operator == "!=")
    if isinstance(atom, Symbol) and atom.fixed and what != kept:
        return _learn(state, Symbol(atom.key), operator, constant - atom.offset)
    return bool(kept)


def _may_satisfy(atom: Atom, operator: str, constant: int) -> bool:
    if isinstance(atom, int):
        return COMPARE[operator](atom, constant)
    if isinstance(atom, Symbol | Predicate):
        return True
    return not (operator == "==" and constant == 0)
