"""Which shared variables decide where threads go: without any, no order of steps keeps accesses apart."""

from collections.abc import Iterator

from assay.analyzers.races import ir
from assay.analyzers.races.graph import operand_registers


def guards(program: ir.Program) -> frozenset[str] | None:
    """Name the globals whose values decide branches; None if a pointer hides which ones they are."""
    names: set[str] = set()
    for function in program.functions.values():
        for expression in _deciding(function):
            for place in _places(expression):
                if not isinstance(place, ir.Variable):
                    return None
                if not place.owner:
                    names.add(place.name)
    return frozenset(names)


def _deciding(function: ir.Function) -> Iterator[ir.Expression]:
    """Give the conditions of a function, and what the registers in them were set to."""
    conditions: list[ir.Expression] = []
    values: dict[str, list[ir.Expression]] = {}
    for block in function.blocks:
        if isinstance(block.end, ir.Branch):
            conditions.append(block.end.condition)
        elif isinstance(block.end, ir.Choose):
            conditions.append(block.end.value)
        for instruction in block.instructions:
            if isinstance(instruction, ir.Set):
                values.setdefault(instruction.register, []).append(instruction.value)
            elif isinstance(instruction, ir.Assume):
                conditions.append(instruction.condition)
    seen: set[str] = set()
    while conditions:
        expression = conditions.pop()
        yield expression
        for register in operand_registers(expression):
            if register not in seen:
                seen.add(register)
                conditions += values.get(register, ())


def _places(expression: ir.Expression) -> Iterator[ir.Place]:
    """Give the places that an expression reads."""
    match expression:
        case ir.Read():
            yield _root(expression.place)
        case ir.Compare() | ir.Arithmetic():
            yield from _places(expression.left)
            yield from _places(expression.right)
        case ir.Not():
            yield from _places(expression.operand)
        case ir.Mixed():
            for part in expression.operands:
                yield from _places(part)


def _root(place: ir.Place) -> ir.Place:
    while isinstance(place, ir.Member | ir.Element):
        place = place.base
    return place
