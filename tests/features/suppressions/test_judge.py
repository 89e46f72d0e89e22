from hypothesis import given
from hypothesis import strategies as st

from assay.analyzers.findings import Confidence, Explanation, Finding, Related, Severity, Span
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
