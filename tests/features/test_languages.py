from pathlib import PurePath

import pytest

from assay.features.languages import comment_style, is_header, language_of


@pytest.mark.parametrize(
    ("name", "language", "header"),
    [("a.c", "c", False), ("a.C", "c", False), ("a.i", "c", False), ("a.h", "c", True), ("a.py", "python", False)],
)
def test_a_suffix_tells_the_language(name: str, language: str, header: bool) -> None:
    assert (language_of(PurePath(name)), is_header(PurePath(name))) == (language, header)


@pytest.mark.parametrize("name", ["a", "a.md", ".c", "c"])
def test_other_names_tell_none(name: str) -> None:
    assert language_of(PurePath(name)) is None


def test_comments_follow_the_language() -> None:
    assert (comment_style("c"), comment_style("python"), comment_style("other")) == ("c", "hash", "c")
