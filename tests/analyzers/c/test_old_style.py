"""Old-style definitions become modern ones, on the same lines and in the same columns."""

import pytest

from assay.analyzers.c.lowering import parse
from assay.analyzers.c.old_style import modernise


def words(text: str) -> list[str]:
    return text.split()


def test_parameters_move_into_the_parentheses():
    source = "int f(a, b)\nint a;\nchar *b;\n{\n    return a;\n}\n"
    made = modernise(source)
    assert words(made) == words("int f( int a, char *b) { return a; }")
    assert made.split("\n")[2].startswith("char *b)")
    assert [len(line) for line in made.split("\n")] == [len(line) for line in source.split("\n")]


def test_a_missing_result_type_is_written_on_the_line_before():
    source = "int a;\nmain() {\n    return a;\n}\n\nstatic helper(x)\nint x;\n{\n}\n"
    lines = modernise(source).split("\n")
    assert lines[0] == "int a; int"
    assert lines[1] == "main() {"
    assert lines[4] == " int"
    assert lines[5:8] == ["static helper(  ", "int x)", "{"]


@pytest.mark.parametrize(
    "source",
    [
        "int f(int a)\n{\n}\n",
        "int f(a, b)\nint b;\nint a;\n{\n}\n",  # in another order
        "int f(a, b)\nint a, b;\n{\n}\n",  # in one declaration
        "int f(a)\nint (*a)();\n{\n}\n",
        "void g(void)\n{\nif (x) {\n}\nfoo(x) {\n}\n}\n",
        "int x = f(a);\nint y;\n{\n",
        "for(a)\n{\n}\n",
        "int\nmain()\n{\n}\n",
        "struct s\nf(x) {\n}\n",
    ],
)
def test_everything_else_stays(source: str) -> None:
    assert modernise(source) == source


def test_the_result_parses():
    source = (
        "\nadd(where, amount)\nint *where;\nint amount;\n{\n    *where += amount;\n}\n"
        "main() {\n    int n;\n    add(&n, 1);\n}\n"
    )
    root = parse(source).root_node
    assert not root.has_error
    assert [node.type for node in root.named_children] == ["function_definition"] * 2


def test_many_parentheses_take_linear_time():
    hostile = "(" * 50_000 + "f(a)\n" * 50_000 + "() a;" + "a;" * 50_000
    assert modernise(hostile) == hostile
