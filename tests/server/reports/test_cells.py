import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.server.reports.cells import clean, layout, width_of, window


def cells(text: str) -> int:
    return sum(map(width_of, text))


@pytest.mark.parametrize(
    ("line", "column", "cell"),
    [
        ("abc", 2, 2),
        ("\tx", 1, 4),
        ("a\tx", 2, 4),
        ("abcd\tx", 5, 8),
        ("漢字x", 2, 4),
        ("😀x", 1, 2),
        ("e\u0301x", 2, 1),
        ("漢\tx", 2, 4),
        ("ab", 5, 5),
    ],
)
def test_a_column_is_found_in_cells(line: str, column: int, cell: int) -> None:
    assert layout(line).cell(column) == cell


def test_what_could_steer_a_terminal_is_spelled_out() -> None:
    assert clean("a\x1b[31m\u202eb\ud800\x7f") == "a\\x1b[31m\\u202eb\\ud800\\x7f"
    assert layout("\x1bx").cell(1) == 4


@given(
    st.text(alphabet="ab漢😀\t\u0301\x1b ", max_size=200), st.integers(0, 200), st.integers(1, 30), st.integers(20, 90)
)
def test_a_window_fits_and_shows_the_start_of_the_mark(line: str, start: int, length: int, width: int) -> None:
    laid = layout(line)
    start = min(start, max(0, len(line) - 1))
    begin, end = laid.cell(start), laid.cell(start + length)
    view = window(laid, begin, end, width)
    assert cells(view.text) <= width
    if line:
        assert 0 <= begin - view.shift < width
        piece = laid.pieces[start]
        drawn, position = "", 0
        for character in view.text:
            if position >= begin - view.shift:
                drawn += character
            position += width_of(character)
        if piece.strip() and width_of(piece[0]) and begin - view.shift + cells(piece) < width:
            assert drawn.startswith(piece) or drawn.lstrip("\u0301").startswith(piece)
