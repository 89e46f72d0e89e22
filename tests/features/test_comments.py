import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.analyzers.findings import Position
from assay.features.comments import Lines, pieces


def comments(text: str, style: str = "c") -> list[str]:
    return [piece.text for piece in pieces(text, style) if piece.is_comment]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a // b\nc", ["// b"]),
        ("a /* b\nc */ d /* e */", ["/* b\nc */", "/* e */"]),
        ('"// no" // yes', ["// yes"]),
        (r'"\"// no" // yes', ["// yes"]),
        ("'\"' // yes", ["// yes"]),
        ('char *s = "/*"; int x; /* yes */', ["/* yes */"]),
        ("// a \\\n still\nb", ["// a \\\n still"]),
        ("// a \\\r\n still\r\nb", ["// a \\\r\n still"]),
        ("/* open", ["/* open"]),
        ('"open\n// yes', ["// yes"]),
        ('"go \\\n on // no" // yes', ["// yes"]),
        ("// a /* b\n/* c // d */", ["// a /* b", "/* c // d */"]),
        ("a / b // c", ["// c"]),
    ],
)
def test_c_comments_are_told_from_literals(text: str, expected: list[str]) -> None:
    assert comments(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a # b\nc", ["# b"]),
        ("'# no' # yes", ["# yes"]),
        ('"""\n# no\n""" # yes', ["# yes"]),
        ("'''it's # no''' # yes", ["# yes"]),
    ],
)
def test_hash_comments_are_told_from_literals(text: str, expected: list[str]) -> None:
    assert comments(text, "hash") == expected


@given(st.text(alphabet="ab/*\"'\\\n\r#", max_size=60), st.sampled_from(["c", "hash"]))
def test_pieces_lie_in_order_and_hold_their_text(text: str, style: str) -> None:
    end = 0
    for piece in pieces(text, style):
        assert end <= piece.start < piece.end <= len(text)
        assert text[piece.start : piece.end] == piece.text
        end = piece.end


@given(st.text(alphabet="ab\n\r\u2028\f", max_size=40))
def test_positions_and_lines_agree(text: str) -> None:
    lines = Lines(text)
    for offset, character in enumerate(text):
        position = lines.position(offset)
        if character not in "\r\n":
            assert lines.line(position.line)[position.column] == character


def test_lines_end_as_the_protocol_says() -> None:
    lines = Lines("a\r\nb\rc\nd\u2028e")
    assert [lines.line(number) for number in range(len(lines))] == ["a", "b", "c", "d\u2028e"]
    assert lines.position(3) == Position(1, 0)
    assert lines.line(99) == ""
