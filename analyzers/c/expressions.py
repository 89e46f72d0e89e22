"""Lower C expressions: reads and writes of memory become events, calls become instructions."""

from collections.abc import Callable

from tree_sitter import Node

from assay.analyzers.c.builder import Builder, Symbol, Typed, site_of
from assay.analyzers.c.constants import parse_character, parse_integer, text_of
from assay.analyzers.c.types import (
    INT,
    Array,
    FunctionType,
    Pointer,
    Record,
    Type,
    is_atomic,
    is_synchronisation,
    named_type,
    specifier_type,
)
from assay.analyzers.races import ir

ZERO = ir.Constant(0)
ONE = ir.Constant(1)
WELL_KNOWN = {
    "NULL": 0,
    "nullptr": 0,
    "true": 1,
    "false": 0,
    "TRUE": 1,
    "FALSE": 0,
    "EBUSY": 16,
    "ETIMEDOUT": 110,
    "thrd_success": 0,
    "thrd_busy": 1,
    "thrd_error": 2,
    "thrd_nomem": 3,
    "thrd_timedout": 4,
}
COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})


def lower(builder: Builder, node: Node | None) -> Typed:
    """Lower an expression to its value."""
    if node is None:
        return Typed(ZERO)
    with builder.nested(node):
        return _LOWER.get(node.type, _opaque)(builder, node)


def value_of(builder: Builder, node: Node | None) -> ir.Expression:
    """Lower an expression and give only its value."""
    return lower(builder, node).value


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
    return Typed(_symbol_value(symbol, node), symbol.type, symbol.place)


def _symbol_value(symbol: Symbol, node: Node) -> ir.Expression:
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


# ----------------------------------------------------------------------------------------- kinds of expression


def _identifier(builder: Builder, node: Node) -> Typed:
    name = text_of(node)
    symbol = builder.lookup(name)
    if symbol is not None:
        if symbol.kind == "memory" and symbol.place is not None:
            return read(builder, symbol.place, symbol.type, node)
        return Typed(_symbol_value(symbol, node), symbol.type)
    if name in builder.unit.types.constants:
        return Typed(ir.Constant(builder.unit.types.constants[name]))
    if name in WELL_KNOWN:
        return Typed(ir.Constant(WELL_KNOWN[name]))
    return Typed(ir.Unknown(site_of(node)))


def _number(builder: Builder, node: Node) -> Typed:
    value = parse_integer(text_of(node))
    return Typed(ir.Unknown(site_of(node)) if value is None else ir.Constant(value))


def _character(builder: Builder, node: Node) -> Typed:
    value = parse_character(text_of(node))
    return Typed(ir.Unknown(site_of(node)) if value is None else ir.Constant(value))


def _boolean(builder: Builder, node: Node) -> Typed:
    return Typed(ir.Constant(int(node.type == "true")))


def _load(builder: Builder, node: Node) -> Typed:
    found = place_of(builder, node)
    if found.place is None:
        return found
    return read(builder, found.place, found.type, node)


def _pointer(builder: Builder, node: Node) -> Typed:
    if node.children[0].type == "*":
        return _load(builder, node)
    found = place_of(builder, node.child_by_field_name("argument"))
    if found.place is None:
        return Typed(found.value, Pointer(found.type))
    return Typed(ir.Address(found.place), Pointer(found.type))


def _parenthesized(builder: Builder, node: Node) -> Typed:
    inner = node.named_children[0] if node.named_children else None
    if inner is not None and inner.type == "compound_statement":
        return _statement_expression(builder, inner)
    return lower(builder, inner)


def _statement_expression(builder: Builder, node: Node) -> Typed:
    from assay.analyzers.c.statements import lower_statement

    result = Typed(ZERO)
    with builder.scope():
        statements = node.named_children
        for statement in statements[:-1]:
            lower_statement(builder, statement)
        if statements and statements[-1].type == "expression_statement":
            inner = statements[-1].named_children
            result = lower(builder, inner[0] if inner else None)
            result = Typed(builder.keep(result.value), result.type)
        elif statements:
            lower_statement(builder, statements[-1])
    return result


def _cast(builder: Builder, node: Node) -> Typed:
    inner = lower(builder, node.child_by_field_name("value"))
    descriptor = node.child_by_field_name("type")
    type_ = INT if descriptor is None else named_type(descriptor, builder.unit.types)
    return Typed(inner.value, type_)


def _has_effect(node: Node | None) -> bool:
    """Tell whether evaluating a node emits instructions, so that what was evaluated before must be kept."""
    if node is None:
        return False
    if node.type in _EFFECTS or (node.type == "binary_expression" and node.children[1].type in ("&&", "||")):
        return True
    return any(_has_effect(child) for child in node.named_children)


_EFFECTS = frozenset({"call_expression", "assignment_expression", "update_expression", "conditional_expression"})


def _binary(builder: Builder, node: Node) -> Typed:
    operator = node.children[1].type
    if operator in ("&&", "||"):
        return _short_circuit(builder, node)
    right_node = node.child_by_field_name("right")
    left = lower(builder, node.child_by_field_name("left"))
    left_value = builder.keep(left.value) if _has_effect(right_node) else left.value
    right = lower(builder, right_node)
    if operator in COMPARISONS:
        return Typed(ir.Compare(operator, left_value, right.value))
    type_ = left.type if _is_pointer(builder, left.type) else right.type if _is_pointer(builder, right.type) else INT
    return Typed(ir.Arithmetic(operator, left_value, right.value), type_)


def _is_pointer(builder: Builder, type_: Type) -> bool:
    return isinstance(builder.unit.types.resolve(type_), Pointer | Array)


def branch_on(builder: Builder, node: Node | None, then: int, otherwise: int) -> None:
    """End the current block by a condition, with one block for each test of a short circuit."""
    while node is not None and node.type == "parenthesized_expression" and node.named_children:
        if node.named_children[0].type == "compound_statement":
            break
        node = node.named_children[0]
    if node is not None and node.type == "binary_expression" and node.children[1].type in ("&&", "||"):
        with builder.nested(node):
            middle = builder.new_block()
            targets = (middle, otherwise) if node.children[1].type == "&&" else (then, middle)
            branch_on(builder, node.child_by_field_name("left"), *targets)
            builder.block = middle
            branch_on(builder, node.child_by_field_name("right"), then, otherwise)
        return
    if node is not None and node.type == "unary_expression" and node.children[0].type == "!":
        with builder.nested(node):
            branch_on(builder, node.child_by_field_name("argument"), otherwise, then)
        return
    condition = ONE if node is None else value_of(builder, node)
    builder.finish(ir.Branch(condition, then, otherwise), builder.block)


def _merge(builder: Builder, node: Node | None, arms: tuple[Callable[[], ir.Expression], ...]) -> ir.Expression:
    """Branch on a condition, evaluate one arm in each block and give the result as a register."""
    result = builder.temporary()
    then, otherwise, after = (builder.new_block() for _ in range(3))
    branch_on(builder, node, then, otherwise)
    for block, arm in zip((then, otherwise), arms, strict=True):
        builder.block = block
        builder.emit(ir.Set(result, arm()))
        builder.finish(ir.Jump(after), after)
    return ir.Register(result)


def _short_circuit(builder: Builder, node: Node) -> Typed:
    if not _has_effect(node.child_by_field_name("right")):
        left = value_of(builder, node.child_by_field_name("left"))
        right = value_of(builder, node.child_by_field_name("right"))
        return Typed(ir.Arithmetic(node.children[1].type, left, right))
    return Typed(_merge(builder, node, (lambda: ONE, lambda: ZERO)))


def _conditional(builder: Builder, node: Node) -> Typed:
    types: list[Type] = []

    def arm(name: str) -> ir.Expression:
        found = lower(builder, node.child_by_field_name(name))
        types.append(found.type)
        return found.value

    value = _merge(
        builder, node.child_by_field_name("condition"), (lambda: arm("consequence"), lambda: arm("alternative"))
    )
    pointers = [type_ for type_ in types if _is_pointer(builder, type_)]
    return Typed(value, pointers[0] if pointers else INT)


def _unary(builder: Builder, node: Node) -> Typed:
    operand = value_of(builder, node.child_by_field_name("argument"))
    match node.children[0].type:
        case "!":
            return Typed(ir.Not(operand))
        case "-":
            return Typed(ir.Arithmetic("-", ZERO, operand))
        case "+":
            return Typed(operand)
        case _:
            return Typed(ir.Mixed((operand,)))


def store(builder: Builder, target: Typed, value: ir.Expression, node: Node) -> None:
    """Assign to a register or a place."""
    if target.place is None:
        if isinstance(target.value, ir.Register):
            builder.emit(ir.Set(target.value.name, value))
    elif not is_synchronisation(target.type, builder.unit.types):
        builder.emit(ir.Write(target.place, value, site_of(node), is_atomic(target.type, builder.unit.types)))


def _assignment(builder: Builder, node: Node) -> Typed:
    left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = text_of(node.child_by_field_name("operator"))
    if left_node is None:
        return _opaque(builder, node)
    if operator != "=":
        operand = value_of(builder, right_node)
        return modify(builder, left_node, operator[:-1], operand)[1]
    right = lower(builder, right_node)
    target = place_of(builder, left_node)
    if (
        target.place is not None
        and isinstance(builder.unit.types.resolve(target.type), Record)
        and right.place is not None
    ):
        builder.emit(ir.Copy(target.place, right.place, site_of(left_node)))
        return Typed(ZERO, target.type, target.place)
    value = right.value if target.place is None else builder.keep(right.value)
    store(builder, target, value, left_node)
    return Typed(value if target.place is not None else target.value, target.type)


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


def _update(builder: Builder, node: Node) -> Typed:
    argument = node.child_by_field_name("argument")
    if argument is None:
        return _opaque(builder, node)
    operator = text_of(node.child_by_field_name("operator"))
    old, new = modify(builder, argument, operator[0], ONE)
    return new if node.children[0].type == operator else old


def _comma(builder: Builder, node: Node) -> Typed:
    evaluate(builder, node.child_by_field_name("left"))
    return lower(builder, node.child_by_field_name("right"))


def evaluate(builder: Builder, node: Node | None) -> None:
    """Lower an expression for its events alone."""
    value = value_of(builder, node)
    if not isinstance(value, ir.Constant | ir.Register | ir.FunctionName | ir.Unknown):
        builder.emit(ir.Set(builder.temporary(), value))


def _call(builder: Builder, node: Node) -> Typed:
    from assay.analyzers.c.calls import lower_call

    return lower_call(builder, node)


def _sizeof(builder: Builder, node: Node) -> Typed:
    return Typed(ir.Unknown(site_of(node)))


def _offsetof(builder: Builder, node: Node) -> Typed:
    member = text_of(node.child_by_field_name("member"))
    return Typed(ir.Address(ir.Member(ir.Pointee(ZERO), member)))


def _compound_literal(builder: Builder, node: Node) -> Typed:
    from assay.analyzers.c.initialisers import initialise

    descriptor = node.child_by_field_name("type")
    type_ = INT if descriptor is None else specifier_type(descriptor, builder.unit.types)
    name = builder.temporary()
    place = ir.Variable(name, builder.name)
    builder.in_memory.add(name)
    initialise(builder, place, type_, node.child_by_field_name("value"))
    return Typed(ir.Read(place, site_of(node)), type_, place)


def _opaque(builder: Builder, node: Node) -> Typed:
    """Evaluate the parts of something not understood (a syntax error, an extension)."""
    operands = tuple(value_of(builder, child) for child in node.named_children if child.type in _LOWER)
    return Typed(ir.Mixed(operands) if operands else ir.Unknown(site_of(node)))


_LOWER: dict[str, Callable[[Builder, Node], Typed]] = {
    "identifier": _identifier,
    "number_literal": _number,
    "char_literal": _character,
    "true": _boolean,
    "false": _boolean,
    "null": lambda builder, node: Typed(ZERO),
    "field_expression": _load,
    "subscript_expression": _load,
    "pointer_expression": _pointer,
    "parenthesized_expression": _parenthesized,
    "cast_expression": _cast,
    "binary_expression": _binary,
    "conditional_expression": _conditional,
    "unary_expression": _unary,
    "assignment_expression": _assignment,
    "update_expression": _update,
    "comma_expression": _comma,
    "call_expression": _call,
    "sizeof_expression": _sizeof,
    "alignof_expression": _sizeof,
    "offsetof_expression": _offsetof,
    "compound_literal_expression": _compound_literal,
    "extension_expression": _opaque,
    "gnu_asm_expression": _sizeof,
}
