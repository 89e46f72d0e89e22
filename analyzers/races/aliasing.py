"""When two locations, seen from two threads, can be the same place; and which locks are then the same.

Each side's symbols are its own unknowns.  Two paths unify if some choice of those unknowns makes them
equal; the choice is a substitution, under which the locks of both sides are compared.
"""

from collections.abc import Callable, Mapping

from attrs import define, field

from assay.analyzers.races.ir import Mode
from assay.analyzers.races.state import Held
from assay.analyzers.races.values import Key, Location, Symbol, fold

Part = str | int | Symbol
Linear = tuple[Key | None, int]  # a symbol (None for none) plus a number
Ticket = tuple[Location | None, int]  # the counter that handed a number out, and how far its numbers are apart
_NO_TICKET: Ticket = (None, 0)


@define
class Unifier:
    """A substitution from the right side's symbols (and pinned left ones) that makes two paths equal.

    The two sides are different threads: a symbol that is distinct for every instance never equals itself.
    `right` and `left` are the substitution so far; `excluded` and `tickets` are those of `overlap`.
    """

    right: dict[Key, Linear] = field(factory=dict)
    left: dict[Key, int] = field(factory=dict)
    excluded: Mapping[Key, set[int]] = field(factory=dict)
    tickets: Mapping[Key, Ticket] = field(factory=dict)

    def unify(self, left: Part, right: Part) -> bool:
        """Make two path elements or instances equal; False if no choice does."""
        if isinstance(left, str) or isinstance(right, str):
            return left == right
        if isinstance(left, int) and isinstance(right, int):
            return left == right
        if isinstance(left, Symbol) and isinstance(right, Symbol):
            return self._symbols(left, right)
        if isinstance(left, Symbol) and isinstance(right, int):
            if left.distinct and right - left.offset in self.excluded.get(left.key, ()):
                return False
            self.left.setdefault(left.key, right - left.offset)
        elif isinstance(right, Symbol) and isinstance(left, int):
            if right.distinct and left - right.offset in self.excluded.get(right.key, ()):
                return False
            self.right.setdefault(right.key, (None, left - right.offset))
        return True

    def _symbols(self, left: Symbol, right: Symbol) -> bool:
        if left.key == right.key and left.distinct:
            return left.offset != right.offset
        counter, step = self.tickets.get(left.key, _NO_TICKET)
        if step and self.tickets.get(right.key, _NO_TICKET)[0] == counter and abs(left.offset - right.offset) < step:
            return False
        if left.fixed and right.fixed:
            self.right.setdefault(right.key, (left.key, left.offset - right.offset))
        return True

    def equal(self, left: Part, right: Part) -> bool:
        """Tell whether two elements must be equal under the substitution."""
        if isinstance(left, str) or isinstance(right, str):
            return left == right
        seen_left, seen_right = self._of_left(left), self._of_right(right)
        return seen_left is not None and seen_left == seen_right

    def _of_left(self, part: int | Symbol) -> Linear | None:
        if isinstance(part, int):
            return None, part
        if not part.fixed:
            return None
        if part.key in self.left:
            return None, self.left[part.key] + part.offset
        return self._term(part, self._of_left) if part.key[0] == "term" else (part.key, part.offset)

    def _of_right(self, part: int | Symbol) -> Linear | None:
        if isinstance(part, int):
            return None, part
        if not part.fixed:
            return None
        if part.key not in self.right:
            return self._term(part, self._of_right) if part.key[0] == "term" else None
        key, offset = self.right[part.key]
        if key is None:
            return None, offset + part.offset
        found = self._of_left(Symbol(key))
        return None if found is None else (found[0], found[1] + offset + part.offset)

    def _term(self, part: Symbol, known: Callable[[int | Symbol], Linear | None]) -> Linear | None:
        """The same operation on equal operands gives the same number."""
        _kind, operator, *operands = part.key
        values = [known(operand) for operand in operands if isinstance(operand, int | Symbol)]
        parts = [offset if key is None else Symbol(key, offset) for key, offset in (v for v in values if v is not None)]
        if len(parts) < 2:
            return None
        left, right = parts
        if isinstance(left, int) and isinstance(right, int):
            folded = fold(str(operator), left, right)
            return (None, folded + part.offset) if isinstance(folded, int) else None
        return ("term", operator, left, right), part.offset


def overlap(
    left: Location, right: Location, excluded: Mapping[Key, set[int]], tickets: Mapping[Key, Ticket]
) -> Unifier | None:
    """Tell whether two locations of one base may overlap, and under which substitution.

    A location overlaps its parts: the shorter path decides.
    `excluded` names the numbers that a symbol which is distinct for every thread instance is not; `tickets` the
    symbols that are values of a ticket counter.
    """
    unifier = Unifier(excluded=excluded, tickets=tickets)
    if not unifier.unify(left.instance, right.instance):
        return None
    for mine, other in zip(left.path, right.path, strict=False):
        if not unifier.unify(mine, other):
            return None
    return unifier


_EXCLUSIVE_MODES = (
    {Mode.EXCLUSIVE},
    {Mode.EXCLUSIVE, Mode.SHARED},
    {Mode.TAKEN},
    {Mode.TAKEN, Mode.EXCLUSIVE},
    {Mode.TAKEN, Mode.SHARED},
    {Mode.BEFORE, Mode.AFTER},
)


def same_lock(left: Held, right: Held, unifier: Unifier) -> bool:
    """Tell whether two held locks are one that keeps the two sides apart: a common lock in Eraser's sense.

    Readers share a lock with each other but not with a writer; ``BEFORE`` and ``AFTER`` one event exclude each other.
    """
    if left.mode is Mode.PHASE and right.mode is Mode.PHASE:
        return left.lock.base == right.lock.base and left.lock.path[:-1] == right.lock.path[:-1] and left != right
    if {left.mode, right.mode} not in _EXCLUSIVE_MODES:
        return False
    mine, other = left.lock, right.lock
    if left.flag != right.flag or mine.base != other.base or len(mine.path) != len(other.path):
        return False
    pairs = zip((mine.instance, *mine.path), (other.instance, *other.path), strict=True)
    return all(unifier.equal(one, two) for one, two in pairs)
