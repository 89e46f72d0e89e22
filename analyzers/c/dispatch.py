"""Lower a node by its kind, through the tables of the unit.

Expressions contain calls, initialisers and (in GNU C) statements, which contain expressions: the tables keep the
modules that lower them from importing each other in a circle.
"""

from tree_sitter import Node

from assay.analyzers.c.builder import ZERO, Builder, Typed, site_of
from assay.analyzers.races import ir


def lower(builder: Builder, node: Node | None) -> Typed:
    """Lower an expression to its value."""
    if node is None:
        return Typed(ZERO)
    with builder.nested(node):
        return builder.unit.lowerings.expressions.get(node.type, opaque)(builder, node)


def value_of(builder: Builder, node: Node | None) -> ir.Expression:
    """Lower an expression and give only its value."""
    return lower(builder, node).value


def opaque(builder: Builder, node: Node) -> Typed:
    """Evaluate the parts of something not understood (a syntax error, an extension)."""
    known = builder.unit.lowerings.expressions
    operands = tuple(value_of(builder, child) for child in node.named_children if child.type in known)
    return Typed(ir.Mixed(operands) if operands else ir.Unknown(site_of(node)))


def evaluate(builder: Builder, node: Node | None) -> None:
    """Lower an expression for its events alone."""
    value = value_of(builder, node)
    if not isinstance(value, ir.Constant | ir.Register | ir.FunctionName | ir.Unknown):
        builder.emit(ir.Set(builder.temporary(), value))


def lower_statement(builder: Builder, node: Node) -> None:
    """Lower one statement into the current block."""
    with builder.nested(node):
        builder.unit.lowerings.statements.get(node.type, _other_statement)(builder, node)


def _other_statement(builder: Builder, node: Node) -> None:
    if node.type == "ERROR":
        for child in node.named_children:
            lower_statement(builder, child)
    elif node.is_named and node.type not in _SILENT:
        evaluate(builder, node)


_SILENT = frozenset({"comment", "struct_specifier", "union_specifier", "enum_specifier", "attribute_declaration"})
