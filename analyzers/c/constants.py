"""Integer constant expressions in syntax trees: enumerators, array lengths, designators.

What is no constant (a missing header's macro, ``sizeof``) has no value; a guess would tell apart what is the same.
"""

import operator as operators
from collections.abc import Callable, Mapping

from tree_sitter import Node

from assay.analyzers.races.values import fold

MAX_DEPTH = 60
MAX_VALUE = 1 << 64

_UNARY: dict[str, Callable[[int], int]] = {
    "-": operators.neg,
    "+": operators.pos,
    "~": operators.invert,
    "!": lambda operand: int(not operand),
}
_ESCAPES = {"\\0": 0, "\\a": 7, "\\b": 8, "\\t": 9, "\\n": 10, "\\v": 11, "\\f": 12, "\\r": 13, "\\\\": 92, "\\'": 39}


def constant(node: Node | None, names: Mapping[str, int], depth: int = 0) -> int | None:
    """Evaluate an integer constant expression in which `names` have values; None if it is something else."""
    if node is None or depth > MAX_DEPTH:
        return None
    match node.type:
        case "number_literal":
            return parse_integer(text_of(node))
        case "char_literal":
            return parse_character(text_of(node))
        case "identifier":
            return names.get(text_of(node))
        case "parenthesized_expression" if len(node.named_children) == 1:
            return constant(node.named_children[0], names, depth + 1)
        case "cast_expression":
            return constant(node.child_by_field_name("value"), names, depth + 1)
        case "unary_expression":
            operand = constant(node.child_by_field_name("argument"), names, depth + 1)
            apply = _UNARY.get(node.children[0].type)
            return None if operand is None or apply is None else apply(operand)
        case "binary_expression":
            return _binary(node, names, depth)
        case _:
            return None


def _binary(node: Node, names: Mapping[str, int], depth: int) -> int | None:
    left = constant(node.child_by_field_name("left"), names, depth + 1)
    right = constant(node.child_by_field_name("right"), names, depth + 1)
    if left is None or right is None:
        return None
    value = fold(node.children[1].type, left, right)
    return value if isinstance(value, int) and abs(value) < MAX_VALUE else None


def text_of(node: Node | None) -> str:
    """Give the source text of a node."""
    return node.text.decode("utf-8", "replace") if node is not None and node.text is not None else ""


def parse_integer(text: str) -> int | None:
    """Read a C integer literal; None if it is something else."""
    digits = text.rstrip("uUlL").replace("'", "")
    try:
        if len(digits) > 1 and digits[0] == "0" and digits[1] in "01234567":
            return int(digits, 8)
        return int(digits, 0)
    except ValueError:
        return None


def parse_character(text: str) -> int | None:
    """Read a character literal of one plain character or simple escape; None if it is something else."""
    inner = text[1:-1] if text.startswith("'") else ""
    return ord(inner) if len(inner) == 1 else _ESCAPES.get(inner)
