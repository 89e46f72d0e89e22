"""Work and output are bounded: what would grow too large is left as it is, with one note."""

from pathlib import Path

import pytest

from assay.analyzers.budget import Budget
from assay.analyzers.c.preprocess import preprocess
from assay.analyzers.errors import CancelledError


def run(source: str, **options):
    return preprocess(source, None, lambda path: None, **options)


def doubling(levels: int) -> str:
    first = "#define A0 ha ha\n"
    return first + "".join(f"#define A{n} A{n - 1} A{n - 1}\n" for n in range(1, levels))


def test_exponential_expansion_stops_with_one_note():
    source = doubling(60) + "int before;\nint x = A59;\nA58;\nint y = A1;\n"
    result = run(source)
    assert result.text.split("\n")[60:64] == ["int before;", "int x = A59;", "A58;", "int y = ha ha ha ha;"]
    (note,) = result.skipped
    assert "expand to too much text" in note.reason
    assert note.span.start.line == 61


def test_exponential_arguments_stop():
    source = "#define D(x) x x x x\n" + "D(" * 40 + "1" + ")" * 40 + "\n"
    result = run(source)
    assert result.text == "\n" + source.split("\n")[1] + "\n"
    assert len(result.skipped) == 1


def test_exponential_condition_is_false():
    result = run(doubling(60) + "#if A59\nint x;\n#endif\n")
    assert result.text.split() == []
    assert ["its macros expand to too much text" in note.reason for note in result.skipped] == [True]


def test_total_output_is_bounded():
    source = doubling(12) + "A11;\n" * 2000
    result = run(source)
    assert len(result.text) <= 8 * len(source) + 1024 * 1024 + len(source)
    assert result.text.count("\n") == source.count("\n")
    assert result.text.endswith("A11;\n")


def test_deep_nesting_of_calls_stops():
    depth = 2000
    source = "#define F(x) x\nint a = " + "F(" * depth + "1" + ")" * depth + ";\n"
    assert run(source).text == "\n" + source.split("\n")[1] + "\n"


def test_deep_nesting_in_conditions_and_optional_text_stops():
    condition = "1 || 1 && 1 | 1 ^ 1 & 1 == 1 < 1 << 1 + 1 * (" * 500 + "1" + ")" * 500
    optional = "__VA_OPT__(" * 500 + "1" + ")" * 500
    result = run(f"#if {condition}\nyes\n#endif\n#define V(...) {optional}\nV(1);\n")
    assert result.text.split() == ["V(1);"]
    assert len(result.skipped) == 2


def test_nesting_that_programs_use_is_expanded():
    source = "#define F(x) x\nint a = " + "F(" * 30 + "1" + ")" * 30 + ";\n"
    assert run(source).text == "\nint a = 1;\n"


@pytest.mark.parametrize(
    "unit",
    [
        "F(\n",
        "F\n",
        "__attribute__((\n",
        "#if 1\n",
        "#define F(\n",
        "/*\n",
        '"\\',
        "'",
        "\\\n",
        "(",
        "#\n",
        "F(F(",
        "F  ",
        "{",
    ],
)
def test_repetition_of_anything_is_read(unit):
    source = "#define F(x) x\n" + unit * 5000
    result = run(source)
    assert result.text.count("\n") == source.count("\n")


def test_headers_are_bounded_in_size():
    large = "int x;\n" * 300_000
    result = preprocess('#include "a.h"\n' * 50, Path("/main.c"), lambda path: large)
    assert len(result.text) < 12_000_000
    assert ["Include less" in note.reason for note in result.skipped] == [True]


def test_cancellation_ends_the_work():
    asked = iter(range(3))
    budget = Budget(cancelled=lambda: next(asked, None) is None)
    with pytest.raises(CancelledError):
        run("#define N 1\n" + "N\n" * 100, budget=budget)
