from importlib import import_module

from hypothesis import given
from hypothesis import strategies as st

from assay.analyzers.findings import Confidence, Explanation, Finding, Related, Severity, Span, VerificationResult
from assay.features.comments import Lines
from assay.features.suppressions import judge, parse

CODES = frozenset({"race/x", "race/y", "sql/z"})


def finding(code: str, first: int, last: int, related: int | None = None) -> Finding:
    places = () if related is None else (Related("there", Span.of(related, 0, related, 1)),)
    why = (Explanation("because"),)
    return Finding(code, "m", Span.of(first, 0, last, 1), Severity.WARNING, Confidence.LIKELY, why, places)


lines = st.integers(0, 8)
findings = st.builds(
    lambda code, first, more, related: finding(code, first, first + more, related),
    st.sampled_from(sorted(CODES)),
    lines,
    st.integers(0, 3),
    st.none() | lines,
)
texts = st.lists(
    st.sampled_from(
        [
            "x++;",
            "x++; // assay: ignore[race/x] why",
            "// assay: ignore[race/*] why",
            "/* assay: ignore[sql/z, race/y] why */",
            "/*",
            "*/ x++;",
            "// assay: ignore-file[race/y] why",
        ]
    ),
    max_size=10,
).map("\n".join)


@given(texts, st.lists(findings, max_size=5))
def test_a_finding_is_kept_unless_some_suppression_silences_it(text: str, found: list[Finding]) -> None:
    suppressions = parse(text, "c")
    judged = judge(suppressions, found, CODES, lambda code: True)
    kept = [each for each in found if not any(one.silences(each) for one in suppressions)]
    assert judged.kept == tuple(kept)
    assert judged.suppressed == len(found) - len(kept)


def test_many_findings_meet_many_suppressions() -> None:
    text = "x++; // assay: ignore[race/x] why\n" * 20_000
    found = [finding("race/x", line, line) for line in range(20_000)]
    judged = judge(parse(text, "c"), found, CODES, lambda code: True)
    assert (judged.kept, judged.suppressed, judged.complaints) == ((), 20_000, ())


def test_one_comment_may_name_many_codes() -> None:
    names = ",".join(f"nope/{number}" for number in range(5_000))
    judged = judge(parse(f"// assay: ignore[{names}] why\n", "c"), [], CODES, lambda code: True)
    assert len(judged.complaints) == 5_000
    assert {complaint.code for complaint in judged.complaints} == {"assay/unknown-code"}


def fixed(text: str, *found: Finding, code: str = "assay/unused-suppression") -> list[tuple[str, bool, str]]:
    """Give (title, preferred, text after it) of every fix of the complaints with a code."""
    known = CODES | {"race/lost-update"}
    complaints = judge(parse(text, "c"), found, known, lambda code: True).complaints
    fixes = [fix for complaint in complaints if complaint.code == code for fix in complaint.fixes]
    return [(fix.title, fix.preferred, apply(text, fix.edits[0])) for fix in fixes]


def apply(text: str, edit) -> str:
    starts = Lines(text).starts
    begin = starts[edit.span.start.line] + edit.span.start.column
    end = starts[edit.span.end.line] + edit.span.end.column
    return text[:begin] + edit.new_text + text[end:]


def test_an_unused_suppression_is_removed_with_its_blanks_or_its_line() -> None:
    title = "Remove the unused suppression"
    assert fixed("x++; // assay: ignore[race/x] why\ny;\n") == [(title, True, "x++;\ny;\n")]
    assert fixed("a;\n  // assay: ignore[race/x] why\nx++;\n") == [(title, True, "a;\nx++;\n")]


def test_only_the_unused_codes_go_from_a_suppression_that_is_used() -> None:
    text = "x++; // assay: ignore[ race/x , race/y,sql/z ] why\n"
    assert fixed(text, finding("race/y", 0, 0)) == [
        ("Remove what is unused from the suppression", True, "x++; // assay: ignore[ race/y ] why\n")
    ]


def test_a_misspelled_code_is_replaced_by_the_one_near_it() -> None:
    text = "x++; // assay: ignore[sql/z, race/lost-updat] why\n"
    after = text.replace("updat]", "update]")
    title = "Name `race/lost-update` instead"
    there = finding("race/lost-update", 0, 0)
    assert fixed(text, there, code="assay/unknown-code") == [(title, True, after)]
    assert fixed(text, code="assay/unknown-code") == [(title, False, after)]


def test_a_fix_that_would_silence_nothing_says_that_it_was_tried() -> None:
    known = CODES | {"race/lost-update"}
    (complaint,) = judge(parse("// assay: ignore[race/lost-updat] why\n", "c"), [], known, bool).complaints
    assert [fix.verification.result for fix in complaint.fixes] == [VerificationResult.FAILED]


def test_a_code_that_is_a_little_like_it_does_not_keep_the_nearest_from_being_offered() -> None:
    known = CODES | {"race/lost-update", "race/lost-updates-of-all"}
    (complaint,) = judge(parse("// assay: ignore[race/lost-updat] why\n", "c"), [], known, bool).complaints
    assert complaint.message.endswith("Did you mean `race/lost-update`?")
    assert [fix.title for fix in complaint.fixes] == ["Name `race/lost-update` instead"]


def test_of_very_many_misspelled_codes_the_later_are_only_called_unknown(monkeypatch) -> None:
    monkeypatch.setattr(import_module("assay.features.suppressions.judge"), "MAX_SUGGESTED", 2)
    text = "// assay: ignore[race/xa] why\n// assay: ignore[race/xb,race/xc] why\n// assay: ignore[race/xa] why\n"
    complaints = judge(parse(text, "c"), [], frozenset({"race/x"}), bool).complaints
    assert ["Did you mean" in one.message for one in complaints] == [True, True, False, True]
    assert [bool(one.fixes) for one in complaints] == [True, True, False, True]


def test_two_near_codes_give_no_fix() -> None:
    assert fixed("x++; // assay: ignore[race/z] why\n", code="assay/unknown-code") == []


def test_of_many_complaints_the_first_are_kept_and_the_rest_counted() -> None:
    judged = judge(parse("// assay: ignore[nope] why\n" * 50, "c"), [], CODES, bool, lambda code: True, most=7)
    assert [one.span.start.line for one in judged.complaints] == list(range(7))
    assert judged.unlisted == 43


def test_complaints_that_are_not_wanted_are_neither_kept_nor_counted() -> None:
    text = "// assay: ignore[nope]\n" * 5
    judged = judge(parse(text, "c"), [], CODES, bool, lambda code: code == "assay/unknown-code", most=3)
    assert ({one.code for one in judged.complaints}, judged.unlisted) == ({"assay/unknown-code"}, 2)
