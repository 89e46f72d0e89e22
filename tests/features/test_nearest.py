import pytest

from assay.features.nearest import nearest

CODES = ("race/lock-order", "race/lost-update", "race/wrong-lock", "sql/missing-comma")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("race/lost-updat", ("race/lost-update",)),
        ("race/lock-ordr", ("race/lock-order",)),
        ("missing-comma", ("sql/missing-comma",)),
        ("nothing-like-it", ()),
        ("", ()),
    ],
)
def test_only_the_nearest_name_is_given(name: str, expected: tuple[str, ...]) -> None:
    assert nearest(name, CODES) == expected


def test_names_that_are_equally_near_are_all_given_in_order() -> None:
    assert nearest("race/z", ["race/y", "race/x", "race/x", "race/far-away"]) == ("race/x", "race/y")


def test_without_names_there_is_none() -> None:
    assert nearest("race/z", []) == ()


def test_the_cutoff_decides_what_can_be_meant() -> None:
    assert nearest("timeot", ["timeout"], cutoff=0.9) == ("timeout",)
    assert nearest("tome", ["timeout"], cutoff=0.9) == ()
