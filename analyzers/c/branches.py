"""Lower conditions: short circuits become branches, so that what a test implies is known in each block."""

from collections.abc import Callable

from tree_sitter import Node

from assay.analyzers.c.builder import ONE, ZERO, Builder, Typed
from assay.analyzers.c.dispatch import lower, value_of
from assay.analyzers.c.types import INT, Array, Pointer, Type
from assay.analyzers.races import ir

LONG_CHAIN = 32  # operands from which on a chain is evaluated in steps
MAX_LOOK = 1000  # nodes to look at before assuming that there is an effect


def branch_on(builder: Builder, node: Node | None, then: int, otherwise: int) -> None:
    """End the current block by a condition, with one block for each test of a short circuit."""
    while node is not None and node.type == "parenthesized_expression" and node.named_children:
        if node.named_children[0].type == "compound_statement":
            break
        node = node.named_children[0]
    if is_logical(node):
        assert node is not None
        with builder.nested(node):
            _branch_on_each(builder, node, then, otherwise)
        return
    if node is not None and node.type == "unary_expression" and node.children[0].type == "!":
        with builder.nested(node):
            branch_on(builder, node.child_by_field_name("argument"), otherwise, then)
        return
    condition = ONE if node is None else value_of(builder, node)
    builder.finish(ir.Branch(condition, then, otherwise), builder.block)


def _branch_on_each(builder: Builder, node: Node, then: int, otherwise: int) -> None:
    """Test the operands of ``a && b && c`` (or ``||``) one after the other."""
    operator = node.children[1].type
    *first, last = operands(node, lambda left: is_logical(left) and left.children[1].type == operator)
    for operand in first:
        following = builder.new_block()
        branch_on(builder, operand, *((following, otherwise) if operator == "&&" else (then, following)))
        builder.block = following
    branch_on(builder, last, then, otherwise)


def is_logical(node: Node | None) -> bool:
    """Tell whether a node is a short circuit."""
    return node is not None and node.type == "binary_expression" and node.children[1].type in ("&&", "||")


def operands(node: Node, belongs: Callable[[Node], bool]) -> list[Node | None]:
    """Give the operands of a chain like ``a + b + c``, which the grammar nests to the left, from left to right."""
    found = [node.child_by_field_name("right")]
    left = node.child_by_field_name("left")
    while left is not None and belongs(left):
        found.append(left.child_by_field_name("right"))
        left = left.child_by_field_name("left")
    return [left, *reversed(found)]


def _choose(builder: Builder, node: Node | None, arms: tuple[Callable[[], ir.Expression], ...]) -> ir.Expression:
    """Branch on a condition, evaluate one arm in each block and give the result as a register."""
    result = builder.temporary()
    then, otherwise, after = (builder.new_block() for _ in range(3))
    branch_on(builder, node, then, otherwise)
    for block, arm in zip((then, otherwise), arms, strict=True):
        builder.block = block
        builder.emit(ir.Set(result, arm()))
        builder.finish(ir.Jump(after), after)
    return ir.Register(result)


def short_circuit(builder: Builder, node: Node) -> Typed:
    """Lower ``a && b`` and ``a || b``; blocks are needed only if `b` does something."""
    if not has_effect(node.child_by_field_name("right")) and len(operands(node, is_logical)) < LONG_CHAIN:
        left = value_of(builder, node.child_by_field_name("left"))
        right = value_of(builder, node.child_by_field_name("right"))
        return Typed(ir.Arithmetic(node.children[1].type, left, right))
    return Typed(_choose(builder, node, (lambda: ONE, lambda: ZERO)))


def conditional(builder: Builder, node: Node) -> Typed:
    """Lower ``c ? a : b``."""
    types: list[Type] = []

    def arm(name: str) -> ir.Expression:
        found = lower(builder, node.child_by_field_name(name))
        types.append(found.type)
        return found.value

    value = _choose(
        builder, node.child_by_field_name("condition"), (lambda: arm("consequence"), lambda: arm("alternative"))
    )
    pointers = [type_ for type_ in types if is_pointer(builder, type_)]
    return Typed(value, pointers[0] if pointers else INT)


def has_effect(node: Node | None) -> bool:
    """Tell whether evaluating a node emits instructions, so that what was evaluated before must be kept."""
    todo = [] if node is None else [node]
    for _count in range(MAX_LOOK):
        if not todo:
            return False
        inner = todo.pop()
        if inner.type in _EFFECTS or is_logical(inner):
            return True
        todo += inner.named_children
    return True


_EFFECTS = frozenset({"call_expression", "assignment_expression", "update_expression", "conditional_expression"})


def is_pointer(builder: Builder, type_: Type) -> bool:
    """Tell whether values of a type are addresses."""
    return isinstance(builder.unit.types.resolve(type_), Pointer | Array)
