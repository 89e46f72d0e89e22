"""Lower initialisers: each scalar of a braced list becomes a store to its place."""

from collections.abc import Iterator

from tree_sitter import Node

from assay.analyzers.c import library
from assay.analyzers.c.builder import ZERO, Builder, Typed, site_of
from assay.analyzers.c.constants import constant, text_of
from assay.analyzers.c.dispatch import value_of
from assay.analyzers.c.places import store
from assay.analyzers.c.types import INT, MAX_NESTING, Array, Record, Type, TypeTable, specifier_type
from assay.analyzers.races import ir

MAX_ELEMENTS = 256


def initialise(builder: Builder, place: ir.Place, type_: Type, value: Node | None) -> None:
    """Store an initialiser into a place."""
    for target, target_type, node in elements(builder.unit.types, place, type_, value):
        store(builder, Typed(ZERO, target_type, target), value_of(builder, node), node)
        if text_of(node) in library.REENTRANT:
            builder.emit(ir.SetReentrant(ir.Address(lock_of(target)), ir.Constant(1)))


def lock_of(place: ir.Place) -> ir.Place:
    """Give the lock that a place is, or is an inner part of: its type's own fields begin with two underscores."""
    while isinstance(place, ir.Member) and place.name.startswith("__"):
        place = place.base
    return place


def compound_literal(builder: Builder, node: Node) -> Typed:
    """Lower ``(T){...}``, an unnamed object."""
    descriptor = node.child_by_field_name("type")
    type_ = INT if descriptor is None else specifier_type(descriptor, builder.unit.types)
    name = builder.temporary()
    place = ir.Variable(name, builder.name)
    builder.in_memory.add(name)
    initialise(builder, place, type_, node.child_by_field_name("value"))
    return Typed(ir.Read(place, site_of(node)), type_, place)


def elements(
    types: TypeTable, place: ir.Place, type_: Type, value: Node | None, depth: int = 0
) -> Iterator[tuple[ir.Place, Type, Node]]:
    """Give the (place, type, expression) of each scalar that an initialiser sets."""
    if value is None or depth > MAX_NESTING:
        return
    resolved = types.resolve(type_)
    if value.type != "initializer_list":
        if not isinstance(resolved, Array):
            yield place, type_, value
        return
    fields = list(types.records.get(resolved.tag, {}).items()) if isinstance(resolved, Record) else []
    position = 0
    for item in value.named_children[:MAX_ELEMENTS]:
        inner: Node | None = item
        target, target_type = _positional(types, place, resolved, fields, position)
        if item.type == "initializer_pair":
            target, target_type, position = _designated(types, place, resolved, item, position)
            inner = item.child_by_field_name("value")
        if item.type != "comment":
            yield from elements(types, target, target_type, inner, depth + 1)
            position += 1


def _positional(
    types: TypeTable, place: ir.Place, type_: Type, fields: list[tuple[str, Type]], position: int
) -> tuple[ir.Place, Type]:
    if isinstance(type_, Array):
        return ir.Element(place, ir.Constant(position)), type_.element
    if position < len(fields):
        name, inner = fields[position]
        return _member(types, place, type_, name), inner
    return place, INT


def _designated(
    types: TypeTable, place: ir.Place, type_: Type, item: Node, position: int
) -> tuple[ir.Place, Type, int]:
    for designator in item.children_by_field_name("designator"):
        inner = designator.named_children[0] if designator.named_children else None
        if designator.type == "subscript_designator" and isinstance(type_, Array):
            position = constant(inner, types.constants) or 0
            place, type_ = ir.Element(place, ir.Constant(position)), type_.element
        elif designator.type == "field_designator":
            name = text_of(inner)
            place, type_ = _member(types, place, type_, name), types.member(type_, name)
    return place, type_, position


def _member(types: TypeTable, place: ir.Place, type_: Type, name: str) -> ir.Place:
    for part in types.parts(type_, name):
        place = ir.Member(place, part)
    return place
