"""Lower expressions that stand for objects: what they name, what it holds, and how it changes."""

from tree_sitter import Node

from assay.analyzers.c.builder import ZERO, Builder, Symbol, Typed, site_of
from assay.analyzers.c.constants import text_of
from assay.analyzers.c.dispatch import lower, value_of
from assay.analyzers.c.types import INT, Array, FunctionType, Pointer, Type, is_atomic, is_synchronisation
from assay.analyzers.races import ir


def read(builder: Builder, place: ir.Place, type_: Type, node: Node) -> Typed:
    """Make the value of an object: arrays and functions decay, synchronisation objects are no data."""
    resolved = builder.unit.types.resolve(type_)
    if isinstance(resolved, Array):
        return Typed(ir.Address(ir.Element(place, ZERO)), type_, place)
    if isinstance(resolved, FunctionType) and isinstance(place, ir.Pointee):
        return Typed(place.pointer, type_, place)
    if is_synchronisation(type_, builder.unit.types):
        return Typed(ir.Unknown(site_of(node)), type_, place)
    return Typed(ir.Read(place, site_of(node), is_atomic(type_, builder.unit.types)), type_, place)


def place_of(builder: Builder, node: Node | None) -> Typed:
    """Lower an expression that stands for an object; `place` is None if it does not, or is a register."""
    if node is None:
        return Typed(ZERO)
    with builder.nested(node):
        match node.type:
            case "identifier":
                return _identifier_place(builder, node)
            case "pointer_expression" if node.children[0].type == "*":
                pointer = lower(builder, node.child_by_field_name("argument"))
                target = _target(builder, pointer.type)
                return Typed(ZERO, target, ir.Pointee(pointer.value))
            case "subscript_expression":
                return _subscript_place(builder, node)
            case "field_expression":
                return _field_place(builder, node)
            case "parenthesized_expression" | "cast_expression":
                inner = node.child_by_field_name("value") or (node.named_children[0] if node.named_children else None)
                return place_of(builder, inner)
            case _:
                value = lower(builder, node)
                return Typed(value.value, value.type, value.place)


def _identifier_place(builder: Builder, node: Node) -> Typed:
    symbol = builder.lookup(text_of(node))
    if symbol is None:
        return Typed(ir.Unknown(site_of(node)))
    return Typed(symbol_value(symbol, node), symbol.type, symbol.place)


def symbol_value(symbol: Symbol, node: Node) -> ir.Expression:
    """Give what a name stands for, if that is not an object in memory."""
    match symbol.kind:
        case "register":
            return ir.Register(symbol.name)
        case "function":
            return ir.FunctionName(symbol.name)
        case "constant":
            return ir.Constant(symbol.value)
        case _:
            return ir.Unknown(site_of(node))


def _target(builder: Builder, type_: Type) -> Type:
    resolved = builder.unit.types.resolve(type_)
    if isinstance(resolved, Pointer):
        return resolved.target
    return resolved.element if isinstance(resolved, Array) else INT


def _subscript_place(builder: Builder, node: Node) -> Typed:
    base = place_of(builder, node.child_by_field_name("argument"))
    index = value_of(builder, node.child_by_field_name("index"))
    resolved = builder.unit.types.resolve(base.type)
    if isinstance(resolved, Array) and base.place is not None:
        return Typed(ZERO, resolved.element, ir.Element(base.place, index))
    pointer = base.value if base.place is None else read(builder, base.place, base.type, node.named_children[0]).value
    return Typed(ZERO, _target(builder, base.type), ir.Pointee(ir.Arithmetic("+", pointer, index)))


def _field_place(builder: Builder, node: Node) -> Typed:
    field = text_of(node.child_by_field_name("field"))
    argument = node.child_by_field_name("argument")
    if any(child.type == "->" for child in node.children):
        pointer = lower(builder, argument)
        record = _target(builder, pointer.type)
        base: ir.Place = ir.Pointee(pointer.value)
    else:
        inner = place_of(builder, argument)
        record = inner.type
        base = inner.place if inner.place is not None else ir.Pointee(inner.value)
    type_ = builder.unit.types.member(record, field)
    for part in builder.unit.types.parts(record, field):
        base = ir.Member(base, part)
    return Typed(ZERO, type_, base)


def load(builder: Builder, node: Node) -> Typed:
    """Lower an expression that stands for an object to what the object holds."""
    found = place_of(builder, node)
    if found.place is None:
        return found
    return read(builder, found.place, found.type, node)


def pointer(builder: Builder, node: Node) -> Typed:
    """Lower ``*p`` and ``&x``."""
    if node.children[0].type == "*":
        return load(builder, node)
    found = place_of(builder, node.child_by_field_name("argument"))
    if found.place is None:
        return Typed(found.value, Pointer(found.type))
    return Typed(ir.Address(found.place), Pointer(found.type))


def store(builder: Builder, target: Typed, value: ir.Expression, node: Node) -> None:
    """Assign to a register or a place."""
    if target.place is None:
        if isinstance(target.value, ir.Register):
            builder.emit(ir.Set(target.value.name, value))
    elif not is_synchronisation(target.type, builder.unit.types):
        builder.emit(ir.Write(target.place, value, site_of(node), is_atomic(target.type, builder.unit.types)))


def modify(builder: Builder, node: Node, operator: str, operand: ir.Expression) -> tuple[Typed, Typed]:
    """Lower ``x op= operand``; gives the old and the new value."""
    target = place_of(builder, node)
    if target.place is None:
        old = builder.keep(target.value)
        if isinstance(target.value, ir.Register):
            builder.emit(ir.Set(target.value.name, ir.Arithmetic(operator, old, operand)))
        return Typed(old, target.type), Typed(target.value, target.type)
    before, after = builder.temporary(), builder.temporary()
    atomic = is_atomic(target.type, builder.unit.types)
    builder.emit(ir.Modify(target.place, operator, operand, site_of(node), atomic, before, after))
    return Typed(ir.Register(before), target.type), Typed(ir.Register(after), target.type)
