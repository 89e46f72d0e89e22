"""Edits in every encoding give the text that plain string surgery gives."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.server.documents import MAX_CHARACTERS, Change, Documents, OpenDocument, apply
from assay.server.encoding import Encoding
from assay.server.positions import split_lines

pieces = st.lists(
    st.sampled_from(["a", "bc", "é", "漢", "😀", "e\u0301", "👩\u200d💻", "\n", "\r", "\r\n", "\t", "\u2028"]),
    max_size=12,
).map("".join)
URI = "file:///a.c"


def units(text: str, encoding: Encoding) -> int:
    codec, size = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[encoding]
    return len(text.encode(codec)) // size


def place(text: str, offset: int, encoding: Encoding) -> tuple[int, int]:
    """Give the client's position of an offset that does not split a CRLF."""
    lines = split_lines(text[:offset])
    return len(lines) - 1, units(lines[-1], encoding)


def offsets(text: str) -> list[int]:
    return [n for n in range(len(text) + 1) if text[n - 1 : n + 1] != "\r\n" or n == 0]


@given(
    pieces, st.lists(st.tuples(st.randoms(use_true_random=False), pieces), max_size=8), st.sampled_from(list(Encoding))
)
def test_a_sequence_of_edits_equals_the_same_edits_of_a_plain_string(text, edits, encoding):
    documents = Documents(encoding)
    documents.open(URI, "c", 1, text)
    for version, (random, new) in enumerate(edits, 2):
        start, end = sorted(random.choices(offsets(text), k=2))
        change = Change(new, place(text, start, encoding), place(text, end, encoding))
        text = text[:start] + new + text[end:]
        document = documents.change(URI, version, [change])
        assert document.text == text
        assert document.lines == split_lines(text)


@given(pieces, st.tuples(*[st.integers(0, 50)] * 4), pieces, st.sampled_from(list(Encoding)))
def test_any_range_is_clamped_and_leaves_whole_lines(text, numbers, new, encoding):
    line, unit, end_line, end_unit = numbers
    lines = apply(split_lines(text), Change(new, (line, unit), (end_line, end_unit)), encoding)
    assert lines == split_lines("".join(lines))
    assert new in "".join(lines)


def test_an_edit_past_the_end_appends():
    assert apply(["a\n", "b"], Change("#", (999, 0), (999, 9)), Encoding.UTF16) == ["a\n", "b#"]


def test_a_line_feed_inserted_after_a_carriage_return_joins_it():
    assert apply(["a\r", "b"], Change("\n", (1, 0), (1, 0)), Encoding.UTF16) == ["a\r\n", "b"]


def test_a_change_without_range_replaces_everything():
    assert apply(["a\n", "b"], Change("x\ny"), Encoding.UTF8) == ["x\n", "y"]


def test_the_halves_of_a_character_join_when_they_arrive_in_two_edits():
    documents = Documents(Encoding.UTF16)
    documents.open(URI, "c", 1, "[]")
    documents.change(URI, 2, [Change("\ud83d", (0, 1), (0, 1))])
    assert documents.get(URI).snapshot().text == "[\ufffd]"
    documents.change(URI, 3, [Change("\ude00", (0, 2), (0, 2))])
    assert documents.get(URI).text == "[😀]"


def test_a_document_that_is_not_open_cannot_be_changed_or_closed():
    documents = Documents(Encoding.UTF16)
    assert documents.change(URI, 2, [Change("x")]) is None
    assert documents.close(URI) is None
    assert list(documents) == []


def test_a_version_is_unaffected_by_the_edits_after_it():
    documents = Documents(Encoding.UTF16)
    first = documents.open(URI, "c", 1, "one\ntwo")
    documents.change(URI, 2, [Change("X", (0, 0), (1, 1))])
    assert (first.text, first.version) == ("one\ntwo", 1)
    assert (documents.get(URI).text, documents.get(URI).version) == ("Xwo", 2)


@pytest.mark.parametrize(
    "uri", ["file:///dir/caf%C3%A9%20x.c", "file:///dir/caf\u00e9%20x.c", "file:///dir/./café%20x.c"]
)
def test_a_document_is_found_by_its_path_however_its_uri_is_spelled(uri):
    documents = Documents(Encoding.UTF16)
    document = documents.open(uri, "c", 1, "")
    assert documents.at(Path("/dir/café x.c")) is document


def test_an_untitled_document_has_no_path():
    document = Documents(Encoding.UTF16).open("untitled:Untitled-1", "c", 1, "x")
    assert document.snapshot().path is None


def test_a_document_that_grows_too_long_by_small_edits_is_not_followed() -> None:
    half = Change("x" * (MAX_CHARACTERS // 2), (0, 0), (0, 0))
    document = OpenDocument("file:///a.c", "c", 1, [""])
    for version in (2, 3):
        document = document.changed(version, half, Encoding.UTF16)
        assert not document.left_out
    assert document.changed(4, Change("x", (0, 0), (0, 0)), Encoding.UTF16).left_out
