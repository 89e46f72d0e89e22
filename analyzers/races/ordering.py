"""Locks that are taken in an order which the program chooses by comparing them, by address or number.

``if (a < b) { lock(a); lock(b); } else { lock(b); lock(a); }`` takes both locks in either textual order, and never in
two orders at run time.
"""

from collections.abc import Iterator
from typing import Any

import attrs
from attrs import define, field

from assay.analyzers.races import ir

_RELATIONS = ("<", "<=", ">", ">=")


@define
class Ordering:
    """Knows, for each function of a program, whether it compares what its locks are named by."""

    program: ir.Program
    known: dict[str, bool] = field(factory=dict)

    def by_comparison(self, functions: set[str]) -> bool:
        """Tell whether one of the functions compares two things that name locks."""
        return any(self._compares(name) for name in functions)

    def _compares(self, name: str) -> bool:
        if name not in self.known:
            function = self.program.functions.get(name)
            self.known[name] = function is not None and _orders(function)
        return self.known[name]


def _orders(function: ir.Function) -> bool:
    """Find a comparison of two sides, each of which names what a lock or call of the function is given."""
    origins = _origins(function)
    locks: set[str] = set()
    for block in function.blocks:
        for instruction in block.instructions:
            if isinstance(instruction, ir.Acquire):
                locks |= _all(instruction.lock, origins)
            elif isinstance(instruction, ir.Call):
                for argument in instruction.arguments:
                    locks |= _all(argument, origins)
    for compare in _comparisons(function):
        left, right = _all(compare.left, origins) & locks, _all(compare.right, origins) & locks
        if left - right and right - left:
            return True
    return False


def _origins(function: ir.Function) -> dict[str, set[str]]:
    """Give what each register was computed from, by name."""
    origins: dict[str, set[str]] = {}
    for block in function.blocks:
        for instruction in block.instructions:
            if isinstance(instruction, ir.Set):
                origins.setdefault(instruction.register, set()).update(_names(instruction.value))
    return origins


def _all(expression: object, origins: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    todo = list(_names(expression))
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += origins.get(name, ())
    return found


def _names(expression: object) -> set[str]:
    return {part.name for part in _parts(expression) if isinstance(part, ir.Register | ir.Variable)}


def _parts(part: object) -> Iterator[Any]:
    """Give an expression, instruction or block end and all expressions inside."""
    yield part
    inner: tuple[object, ...] = ()
    if isinstance(part, tuple) and not isinstance(part, ir.Site):
        inner = part
    elif attrs.has(kind := type(part)):
        inner = tuple(getattr(part, each.name) for each in attrs.fields(kind))
    for one in inner:
        yield from _parts(one)


def _comparisons(function: ir.Function) -> Iterator[ir.Compare]:
    for block in function.blocks:
        for code in (*block.instructions, block.end):
            for part in _parts(code):
                if isinstance(part, ir.Compare) and part.op in _RELATIONS:
                    yield part
