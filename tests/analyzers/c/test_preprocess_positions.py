"""Every position of the expanded text leads back to the source."""

import pytest

from assay.analyzers.c.preprocess import preprocess
from assay.analyzers.findings import Position, Span


def run(source: str):
    return preprocess(source, None, lambda path: None)


def located(source: str, needle: str) -> str:
    """Give the source text that the first occurrence of `needle` in the expansion is located at."""
    result = run(source)
    line = next(number for number, text in enumerate(result.text.split("\n")) if needle in text)
    column = result.text.split("\n")[line].index(needle)
    file, span = result.locate_span(line, column, line, column + len(needle))
    assert file == 0
    return _text(source, span)


def _text(source: str, span: Span) -> str:
    lines = source.split("\n")
    assert span.start.line == span.end.line
    return f"{span.start.line + 1}:{lines[span.start.line][span.start.column : span.end.column]}"


def test_untouched_lines_keep_their_columns():
    result = run("#define N 1\nint x;  int y;\n")
    assert result.is_exact(1)
    assert result.locate(1, 8).position == Position(1, 8)
    assert result.locate_span(1, 8, 1, 11) == (0, Span.of(1, 8, 1, 11))


LOCKED = "#define L(m) lock(&(m)->mutex, 1)\n  L(queue); queue->count++; L(other);\n"


@pytest.mark.parametrize(
    ("needle", "expected"),
    [
        ("lock", "2:L"),
        ("mutex", "2:L"),
        ("queue", "2:queue"),
        ("queue->count", "2:queue->count"),
        ("count++", "2:count++"),
        ("other", "2:other"),
        ("oth", "2:oth"),
        ("lock(&(queue)->mutex, 1); queue->count", "2:L(queue); queue->count"),
    ],
)
def test_changed_lines_are_located_by_their_tokens(needle, expected):
    assert located(LOCKED, needle) == expected


def test_an_argument_on_a_later_line_is_located_there():
    source = "#define each(i, body) for (;;) { body }\neach(i,\n  total++;\n  count++;\n)\n"
    assert located(source, "total++") == "3:total++"
    assert located(source, "count") == "4:count"
    assert located(source, "for") == "2:each"


def test_a_spliced_line_is_located_by_its_pieces():
    source = "#define N 1\nint a = N; \\\n  int b = N;\n"
    assert located(source, "a =") == "2:a ="
    assert located(source, "int b") == "3:int b"


def test_what_is_pasted_from_an_argument_is_located_at_the_argument():
    assert located("#define MAKE(n) int n##_count;\nMAKE(a) MAKE(b)\n", "b_count") == "2:b"


def test_nested_macros_are_located_at_the_outermost_name():
    assert located("#define A B\n#define B C + D\nx = A;\n", "D") == "3:A"


def test_a_range_over_two_origins_is_never_reversed():
    source = "#define swap(a, b) b a\nswap(first, second)\n"
    result = run(source)
    _, span = result.locate_span(1, 0, 1, len("second first"))
    assert span.start <= span.end
    assert span == Span.of(1, 12, 1, 18)


def test_columns_count_code_points():
    source = '#define N 1\nchar *s = "\U0001f600é"; int n = N;\n'
    assert located(source, "int n") == "2:int n"
