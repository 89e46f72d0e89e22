import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.analyzers.findings import Edit, Span
from assay.features.comments import Lines
from assay.server.fixing.texts import Change, changed, changes_of, encoding_of, moved
from assay.server.sources import decode


@pytest.mark.parametrize(
    "data",
    [
        b"plain\r\n", "é\n".encode(), "é".encode("utf-8-sig"), b"caf\xe9\r", "é\n".encode("utf-16"),
        b"\xfe\xff" + "é\n".encode("utf-16-be"), "é\n".encode("utf-32"), b"",
    ],
)  # fmt: skip
def test_a_text_goes_back_to_the_bytes_it_came_from(data: bytes) -> None:
    text = decode(data)
    encoding = encoding_of(data, text)
    assert encoding is not None
    assert encoding.encode(text) == data
    assert decode(encoding.encode(text + "x")) == text + "x"


def test_a_text_that_is_not_that_of_the_bytes_has_no_encoding() -> None:
    assert encoding_of(b"a", "b") is None


def edits(text: str, *changes: tuple[int, int, str]) -> list[Edit]:
    lines = Lines(text)
    return [Edit(Span(lines.position(start), lines.position(end)), new) for start, end, new in changes]


@given(st.text(alphabet="ab\r\né😀", max_size=30), st.data())
def test_edits_replace_what_they_name(text: str, data) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    if text[start - 1 : start + 1] == "\r\n" or text[end - 1 : end + 1] == "\r\n":
        return  # no position lies between the two characters of a line end
    new = data.draw(st.text(alphabet="xy\n", max_size=3))
    assert changed(text, changes_of(Lines(text), edits(text, (start, end, new)))) == text[:start] + new + text[end:]


def test_several_edits_are_those_of_one_text_in_any_order() -> None:
    text = "one two three\n"
    made = changes_of(Lines(text), edits(text, (8, 13, "3"), (0, 3, "1")))
    assert changed(text, made) == "1 two 3\n"


@pytest.mark.parametrize("span", [Span.of(5, 0, 5, 0), Span.of(0, 9, 0, 9), Span.of(0, 2, 0, 1)])
def test_an_edit_outside_the_text_or_backwards_is_refused(span: Span) -> None:
    with pytest.raises(ValueError, match=r"line|ends before"):
        changes_of(Lines("abc"), [Edit(span, "")])


def test_overlapping_edits_of_one_fix_are_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        changed("abcd", [Change(0, 2, ""), Change(1, 3, "")])
    with pytest.raises(ValueError, match="overlap"):
        changes_of(Lines("abcd"), [Edit(Span.of(0, 0, 0, 2), ""), Edit(Span.of(0, 1, 0, 3), "")])


@pytest.mark.parametrize(("first", "second", "meet"), [((0, 2), (2, 4), True), ((0, 1), (2, 3), False)])
def test_changes_meet_where_they_touch(first, second, meet: bool) -> None:
    assert Change(*first, "").meets(Change(*second, "")) is meet


@pytest.mark.parametrize(
    ("change", "line", "after"),
    [
        (Change(0, 2, ""), 0, 0), (Change(0, 2, ""), 1, 0), (Change(0, 2, ""), 2, 1),
        (Change(0, 0, "x\ny\n"), 0, 0), (Change(0, 0, "x\ny\n"), 1, 3), (Change(4, 4, "\n"), 1, 1),
    ],
)  # fmt: skip
def test_a_line_is_followed_through_changes(change: Change, line: int, after: int) -> None:
    assert list(moved([line], Lines("a\nb\nc\n"), [change])) == [after]


def test_lines_are_followed_through_many_changes() -> None:
    changes = [Change(0, 0, "x\n"), Change(2, 4, ""), Change(6, 6, "y\nz\n")]
    assert list(moved([0, 1, 2, 3, 4], Lines("a\nb\nc\nd\n"), changes)) == [0, 2, 2, 3, 6]
