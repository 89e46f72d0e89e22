import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.analyzers import findings as f
from assay.features.codec import DecodeError, decode, encode
from assay.features.pipeline import Report

names = st.text(max_size=8)
numbers = st.integers(0, 10**6)
floats = st.floats(allow_nan=False)
spans = st.builds(f.Span.of, numbers, numbers, numbers, numbers)
evidence = st.one_of(
    st.builds(f.Explanation, names, names, names),
    st.builds(f.Counterexample, names, names, names, names, names, names),
    st.builds(f.Measurement, names, floats, names, st.tuples(floats, floats), numbers, names, names),
    st.builds(f.Statistic, names, floats, floats, numbers, names, names),
    st.builds(f.Vote, names, st.lists(st.tuples(names, names), max_size=2).map(tuple), names, names),
)
fixes = st.builds(
    f.Fix,
    names,
    st.lists(st.builds(f.Edit, spans, names, st.none() | names), max_size=2).map(tuple),
    st.builds(f.Verification, names, names, st.sampled_from(f.VerificationResult)),
    st.booleans(),
)
found = st.builds(
    f.Finding,
    names,
    names,
    spans,
    st.sampled_from(f.Severity),
    st.sampled_from(f.Confidence),
    st.lists(evidence, min_size=1, max_size=2).map(tuple),
    st.lists(st.builds(f.Related, names, spans, st.none() | names), max_size=2).map(tuple),
    st.lists(fixes, max_size=1).map(tuple),
    st.lists(names, max_size=2).map(tuple),
    st.dictionaries(names, st.lists(numbers, max_size=2), max_size=2),
)
skips = st.builds(f.Skipped, names, st.none() | spans, st.none() | names)
reports = st.builds(
    Report, st.lists(found, max_size=2).map(tuple), st.lists(skips, max_size=2).map(tuple), numbers, st.booleans()
)


@given(reports)
def test_a_report_survives_the_round_trip_through_json(report: Report) -> None:
    assert decode(json.loads(json.dumps(encode(report)))) == report


def test_every_kind_of_evidence_is_named() -> None:
    report = Report(
        (f.Finding("c", "m", f.Span.of(0, 0, 0, 1), f.Severity.HINT, f.Confidence.PROVED, (f.Explanation("why"),)),)
    )
    assert encode(report)["findings"][0]["evidence"][0]["kind"] == "explanation"


@pytest.mark.parametrize(
    "value", [None, [], 3, {}, {"findings": 3}, {"findings": [{}]}, {"findings": [{"evidence": []}]}]
)
def test_anything_else_is_refused(value) -> None:
    with pytest.raises(DecodeError):
        decode(value)
