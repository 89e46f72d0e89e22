"""Lower C expressions: reads and writes of memory become events, calls become instructions."""

from tree_sitter import Node

from assay.analyzers.c.branches import LONG_CHAIN, conditional, has_effect, is_logical, is_pointer, short_circuit
from assay.analyzers.c.builder import ONE, ZERO, Builder, ExpressionLowering, Typed, site_of
from assay.analyzers.c.constants import parse_character, parse_integer, text_of
from assay.analyzers.c.dispatch import evaluate, lower, lower_statement, opaque, value_of
from assay.analyzers.c.places import load, modify, place_of, pointer, read, store, symbol_value
from assay.analyzers.c.types import INT, Record, named_type
from assay.analyzers.races import ir

WELL_KNOWN = {
    "NULL": 0,
    "nullptr": 0,
    "true": 1,
    "false": 0,
    "TRUE": 1,
    "FALSE": 0,
    "EBUSY": 16,
    "PTHREAD_BARRIER_SERIAL_THREAD": -1,
    "PTHREAD_MUTEX_NORMAL": 0,
    "PTHREAD_MUTEX_DEFAULT": 0,
    "PTHREAD_MUTEX_RECURSIVE": 1,
    "PTHREAD_MUTEX_RECURSIVE_NP": 1,
    "PTHREAD_MUTEX_ERRORCHECK": 2,
    "PTHREAD_MUTEX_ERRORCHECK_NP": 2,
    "mtx_plain": 0,
    "mtx_recursive": 1,
    "mtx_timed": 2,
    "ETIMEDOUT": 110,
    "thrd_success": 0,
    "thrd_busy": 1,
    "thrd_error": 2,
    "thrd_nomem": 3,
    "thrd_timedout": 4,
}
COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})


def _identifier(builder: Builder, node: Node) -> Typed:
    name = text_of(node)
    symbol = builder.lookup(name)
    if symbol is not None:
        if symbol.kind == "memory" and symbol.place is not None:
            return read(builder, symbol.place, symbol.type, node)
        return Typed(symbol_value(symbol, node), symbol.type)
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


def _parenthesized(builder: Builder, node: Node) -> Typed:
    inner = node.named_children[0] if node.named_children else None
    if inner is not None and inner.type == "compound_statement":
        return _statement_expression(builder, inner)
    return lower(builder, inner)


def _statement_expression(builder: Builder, node: Node) -> Typed:
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


def _binary(builder: Builder, node: Node) -> Typed:
    if is_logical(node):
        return short_circuit(builder, node)
    chain = [node]
    while (left_node := chain[-1].child_by_field_name("left")) is not None and _is_arithmetic(left_node):
        chain.append(left_node)
    result = lower(builder, left_node)
    for number, part in enumerate(reversed(chain), 1):
        result = _operate(builder, part, result)
        if number % LONG_CHAIN == 0:
            result = Typed(builder.keep(result.value), result.type)
    return result


def _is_arithmetic(node: Node) -> bool:
    return node.type == "binary_expression" and not is_logical(node)


def _operate(builder: Builder, node: Node, left: Typed) -> Typed:
    """Lower a binary operation whose left operand is lowered already."""
    operator, right_node = node.children[1].type, node.child_by_field_name("right")
    left_value = builder.keep(left.value) if has_effect(right_node) else left.value
    right = lower(builder, right_node)
    if operator in COMPARISONS:
        return Typed(ir.Compare(operator, left_value, right.value))
    type_ = left.type if is_pointer(builder, left.type) else right.type if is_pointer(builder, right.type) else INT
    return Typed(ir.Arithmetic(operator, left_value, right.value), type_)


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


def _assignment(builder: Builder, node: Node) -> Typed:
    left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = text_of(node.child_by_field_name("operator"))
    if left_node is None:
        return opaque(builder, node)
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


def _update(builder: Builder, node: Node) -> Typed:
    argument = node.child_by_field_name("argument")
    if argument is None:
        return opaque(builder, node)
    operator = text_of(node.child_by_field_name("operator"))
    old, new = modify(builder, argument, operator[0], ONE)
    return new if node.children[0].type == operator else old


def _comma(builder: Builder, node: Node) -> Typed:
    following: Node | None = node
    while following is not None and following.type == "comma_expression":
        evaluate(builder, following.child_by_field_name("left"))
        following = following.child_by_field_name("right")
    return lower(builder, following)


def _sizeof(builder: Builder, node: Node) -> Typed:
    return Typed(ir.Unknown(site_of(node)))


def _offsetof(builder: Builder, node: Node) -> Typed:
    member = text_of(node.child_by_field_name("member"))
    return Typed(ir.Address(ir.Member(ir.Pointee(ZERO), member)))


KINDS: dict[str, ExpressionLowering] = {
    "identifier": _identifier,
    "number_literal": _number,
    "char_literal": _character,
    "true": _boolean,
    "false": _boolean,
    "null": lambda builder, node: Typed(ZERO),
    "field_expression": load,
    "subscript_expression": load,
    "pointer_expression": pointer,
    "parenthesized_expression": _parenthesized,
    "cast_expression": _cast,
    "binary_expression": _binary,
    "conditional_expression": conditional,
    "unary_expression": _unary,
    "assignment_expression": _assignment,
    "update_expression": _update,
    "comma_expression": _comma,
    "sizeof_expression": _sizeof,
    "alignof_expression": _sizeof,
    "offsetof_expression": _offsetof,
    "extension_expression": opaque,
    "gnu_asm_expression": _sizeof,
}
