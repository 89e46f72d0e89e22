"""Integer constant expressions, and what is none."""

import pytest

from assay.analyzers.c.constants import constant, parse_character, parse_integer
from assay.analyzers.c.lowering import parse


def evaluate(expression: str) -> int | None:
    declaration = parse(f"int x = {expression};").root_node.named_children[0]
    value = declaration.named_children[1].child_by_field_name("value")
    assert value is not None
    return constant(value, {"N": 4})


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("0", 0),
        ("010", 8),
        ("0x1F", 31),
        ("0b101", 5),
        ("10UL", 10),
        ("'a'", 97),
        ("'\\n'", 10),
        ("N", 4),
        ("-N", -4),
        ("~0", -1),
        ("!3", 0),
        ("(1 + 2) * N", 12),
        ("1 << 3 | 1", 9),
        ("7 / -2", -3),
        ("-7 % 3", -1),
        ("(long)3", 3),
        ("1ull << 63", 1 << 63),
    ],
)
def test_constants(expression: str, value: int) -> None:
    assert evaluate(expression) == value


@pytest.mark.parametrize(
    "expression",
    ["M", "1 / 0", "1 % 0", "sizeof(int)", "f()", "1.5", "N + M", "x ? 1 : 2", "1 << 63 << 63", "&N", "'ab'", '"a"'],
)
def test_what_is_no_constant(expression: str) -> None:
    assert evaluate(expression) is None


def test_depth_is_bounded():
    assert evaluate("(" * 50 + "1" + ")" * 50) == 1
    assert evaluate("(" * 5000 + "1" + ")" * 5000) is None
    assert evaluate("+".join(["1"] * 5000)) is None


@pytest.mark.parametrize("text", ["", "u", "09", "0x", "1e5", "abc", "0xg"])
def test_malformed_numbers(text: str) -> None:
    assert parse_integer(text) is None


@pytest.mark.parametrize("text", ["", "'", "''", "'ab'", "L'a'", "'\\q'"])
def test_unusual_characters(text: str) -> None:
    assert parse_character(text) is None
