"""Conversions agree with the encodings themselves, and clamp what is outside."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.analyzers.findings import Position, Span
from assay.server.encoding import Encoding
from assay.server.positions import Converter, column_of, content, plain_range, split_lines, unit_of

characters = st.sampled_from(list("ab\t é漢𝔸😀\u0301\u200d\u2028\x0c\x85"))
texts = st.text(characters | st.sampled_from("\n\r"), max_size=40) | st.text(max_size=40)
encodings = st.sampled_from(list(Encoding))


def length(text: str, encoding: Encoding) -> int:
    data = text.encode({"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding], "surrogatepass")
    return len(data) // {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]


@given(texts)
def test_the_lines_are_the_text_and_each_but_the_last_ends_with_one_line_end(text):
    lines = split_lines(text)
    assert "".join(lines) == text
    for line in lines[:-1]:
        assert line.endswith(("\n", "\r"))
    assert not lines[-1].endswith(("\n", "\r"))
    for line in lines:
        assert "\n" not in content(line)
        assert "\r" not in content(line)


def test_only_the_line_ends_of_the_protocol_end_lines():
    assert split_lines("a\x0bb\x0cc\u2028d\x85e") == ["a\x0bb\x0cc\u2028d\x85e"]
    assert split_lines("a\r\nb\rc\n\r") == ["a\r\n", "b\r", "c\n", "\r", ""]
    assert split_lines("") == [""]


@given(st.text(characters, max_size=20), encodings, st.data())
def test_columns_survive_the_way_to_the_client_and_back(line, encoding, data):
    column = data.draw(st.integers(0, len(line)))
    unit = unit_of(line + "\r\n", column, encoding)
    assert unit == length(line[:column], encoding)
    assert column_of(line + "\r\n", unit, encoding) == column


@given(st.text(characters, max_size=20), encodings, st.integers(0, 100))
def test_any_unit_lands_on_the_character_that_contains_it(line, encoding, unit):
    column = column_of(line + "\n", unit, encoding)
    assert length(line[:column], encoding) <= unit
    assert column == len(line) or unit < length(line[: column + 1], encoding)


@pytest.mark.parametrize("encoding", list(Encoding))
def test_positions_outside_the_text_are_clamped(encoding):
    converter = Converter(split_lines("é😀\nab"), encoding)
    assert converter.decode(0, 999) == Position(0, 2)
    assert converter.decode(999, 0) == Position(1, 2)
    assert converter.encode(Position(999, 5)) == (1, 2)
    assert converter.encode(Position(0, 99)) == (0, length("é😀", encoding))


def test_a_lone_surrogate_takes_the_room_of_its_replacement():
    for encoding in Encoding:
        assert unit_of("\ud83d!", 2, encoding) == unit_of("\ufffd!", 2, encoding)
        assert column_of("\ud83d!", unit_of("\ud83d!", 1, encoding), encoding) == 1


def test_a_span_becomes_a_range():
    span = Span.of(0, 1, 0, 2)
    assert Converter(split_lines("😀😀"), Encoding.UTF16).encode_span(span) == {
        "start": {"line": 0, "character": 2},
        "end": {"line": 0, "character": 4},
    }
    assert plain_range(span) == {"start": {"line": 0, "character": 1}, "end": {"line": 0, "character": 2}}
