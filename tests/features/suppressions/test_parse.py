import pytest

from assay.features.suppressions import parse


def one(text: str, language: str = "c"):
    (found,) = parse(text, language)
    return found


def test_a_trailing_comment_covers_its_own_line() -> None:
    found = one("int a;\nx++; // assay: ignore[race/lost-update] a counter for statistics\n")
    assert found.patterns == ("race/lost-update",)
    assert found.reason == "a counter for statistics"
    assert found.lines == (1,)


def test_a_comment_alone_covers_the_next_line() -> None:
    assert one("// assay: ignore[race/*] reason\nx++;\n").lines == (0, 1)


def test_a_comment_alone_skips_the_comments_that_follow_it() -> None:
    text = "  // assay: ignore[race/*] reason\n  // that goes on\n  /* and on */\n  x++;\n"
    assert 3 in (one(text).lines or ())


def test_block_comments_count_and_their_end_is_no_reason() -> None:
    found = one("x++; /* assay: ignore[a/b, c/d] because */ y++;\n")
    assert (found.patterns, found.reason, found.lines) == (("a/b", "c/d"), "because", (0,))


def test_the_end_of_a_block_comment_alone_is_not_a_reason() -> None:
    assert one("x++; /* assay: ignore[a/b] */\n").reason == ""


@pytest.mark.parametrize(
    "text",
    [
        'char *s = "// assay: ignore[race/x] no";',
        "// see assay: ignore[race/x]",
        "// assay: ignored[race/x] no",
        "// assay: ignore-files[race/x] no",
        "int assay;",
        "/* text assay: ignore[race/x] */",
    ],
)
def test_what_only_looks_like_a_suppression_is_none(text: str) -> None:
    assert parse(text, "c") == ()


def test_a_marker_may_follow_another_comment() -> None:
    found = one("x++; // for statistics // assay: ignore[race/x] a reason\n")
    assert (found.patterns, found.lines) == (("race/x",), (0,))


def test_file_level_near_the_top_covers_everything() -> None:
    found = one("/*\n * assay: ignore-file[race/*] generated code\n */\n")
    assert found.lines is None
    assert found.reason == "generated code"


def test_file_level_far_down_covers_nothing() -> None:
    assert one("\n" * 40 + "// assay: ignore-file[race/*] reason\n").lines == ()


def test_python_has_its_own_comments() -> None:
    text = "s = '# assay: ignore[a/b] no'\nx += 1  # assay: ignore[a/b] yes\n"
    found = one(text, "python")
    assert (found.reason, found.lines) == ("yes", (1,))


def test_brackets_may_be_missing_or_empty() -> None:
    assert one("// assay: ignore this\n").patterns == ()
    assert one("// assay: ignore[] this\n").patterns == ()


def test_a_long_comment_covers_the_lines_beside_it_and_below_it() -> None:
    text = "x++; /* a\n * assay: ignore[race/x] why\n * b */ y++;\nz++;\n"
    assert one(text).lines == (0, 2)
    assert one(text.replace("x++; ", "").replace(" y++;", "")).lines == (0, 2, 3)


def test_a_comment_goes_with_the_blanks_before_it() -> None:
    found = one("x++; \t // assay: ignore[race/x] why \t\n")
    assert found.removal is not None
    assert (found.removal.start.column, found.removal.end.column) == (4, 37)


MANY = 50_000


def test_a_file_may_consist_of_suppressions() -> None:
    found = parse("// assay: ignore[race/x] why\n" * MANY, "c")
    assert [one.lines for one in found] == [(line, MANY) for line in range(MANY)]


def test_a_line_may_consist_of_suppressions() -> None:
    found = parse("/* assay: ignore[race/x] why */" * MANY + " x++;", "c")
    assert len(found) == MANY
    assert {one.lines for one in found} == {(0,)}


def test_a_comment_may_consist_of_suppressions() -> None:
    found = parse("/*\n" + " * assay: ignore[race/x] why\n" * MANY + " */\n", "c")
    assert len(found) == MANY
    assert {one.lines for one in found} == {(0, MANY + 1, MANY + 2)}


def test_each_pattern_has_its_place() -> None:
    found = one("int a;\nx++; // assay: ignore[ race/x,sql/* , b/c] why\n")
    line = "x++; // assay: ignore[ race/x,sql/* , b/c] why"
    cut = [line[place.start.column : place.end.column] for place in found.places]
    assert cut == list(found.patterns) == ["race/x", "sql/*", "b/c"]
    assert {place.start.line for place in found.places} == {1}
