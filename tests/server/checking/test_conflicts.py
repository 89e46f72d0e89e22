import pytest

from assay.analyzers.findings import Span
from assay.features.comments import Lines
from assay.server.checking.conflicts import conflicts

START, MIDDLE, END = "<<<<<<< ours\n", "=======\n", ">>>>>>> theirs\n"


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (START + "a\n" + MIDDLE + "b\n" + END, [Span.of(0, 0, 4, 14)]),
        (START + "a\n||||||| base\n" + MIDDLE + END, [Span.of(0, 0, 4, 14)]),
        ((START + MIDDLE + END).replace("\n", "\r\n"), [Span.of(0, 0, 2, 14)]),
        ("x\n" + (START + MIDDLE + END) * 2, [Span.of(1, 0, 3, 14), Span.of(4, 0, 6, 14)]),
        (START + START + MIDDLE + ">>>>>>>", [Span.of(1, 0, 3, 7)]),
        (START + MIDDLE, []),
        (START + END, []),
        (MIDDLE + END, []),
        (" " + START + MIDDLE + END, []),
        (START + "========\n" + END, []),
        ("<<<<<<<x\n" + MIDDLE + END, []),
    ],
)
def test_a_conflict_is_the_three_marks_in_order(text: str, places: list[Span]) -> None:
    assert list(conflicts(Lines(text))) == places
