import pytest

from assay.analyzers.budget import Budget
from assay.analyzers.errors import CancelledError
from assay.analyzers.findings import Severity
from assay.features import registry
from assay.features.feature import Context, Document
from assay.features.pipeline import MAX_FINDINGS, check
from assay.features.settings import Settings

pytestmark = pytest.mark.usefixtures("fake_feature")


def report(text: str, **settings):
    return check(Document("file:///x.c", "c", text), Context(settings=Settings(**settings)))


def codes(text: str, **settings) -> list[str]:
    return [finding.code for finding in report(text, **settings).findings]


def test_findings_are_sorted_by_place() -> None:
    assert codes("@find(fake/two)\n@find(fake/one)\n") == ["fake/two", "fake/one"]


def test_select_and_ignore_take_patterns_and_ignore_wins() -> None:
    text = "@find(fake/one) @find(fake/two)"
    assert codes(text, select=("fake/o*",)) == ["fake/one"]
    assert codes(text, ignore=("fake/o*",)) == ["fake/two"]
    assert codes(text, select=("fake/*",), ignore=("fake/*",)) == []


def test_what_is_inconclusive_is_only_a_hint() -> None:
    (finding,) = report("@unsure @find(fake/one)").findings
    assert finding.severity is Severity.HINT


def test_a_comment_silences_a_finding_and_is_counted() -> None:
    got = report("x @find(fake/one) // assay: ignore[fake/one] known\n")
    assert got.findings == ()
    assert got.suppressed == 1


def test_a_comment_at_a_related_place_silences_too() -> None:
    assert codes("@find(fake/one)\n@also(x) // assay: ignore[fake/*] known\n") == []


def test_a_comment_elsewhere_does_not() -> None:
    assert codes("@find(fake/one)\n\nx // assay: ignore[fake/one] known\n") == ["fake/one", "assay/unused-suppression"]


def test_a_suppression_needs_a_reason() -> None:
    assert codes("@find(fake/one) // assay: ignore[fake/one]\n") == ["assay/suppression-without-reason"]


@pytest.mark.parametrize("text", ["// assay: ignore[fake/onne] known\n", "// assay: ignore known\n"])
def test_a_suppression_needs_a_known_code(text: str) -> None:
    assert codes(text) == ["assay/unknown-code"]


def test_an_unknown_code_names_the_nearest() -> None:
    assert "`fake/one`" in report("// assay: ignore[fake/onne] known\n").findings[0].message


def test_an_unused_suppression_can_be_removed() -> None:
    (finding,) = report("int a;\n// assay: ignore[fake/one] known\nint b;\n").findings
    (edit,) = finding.fixes[0].edits
    assert (edit.span.start.line, edit.span.end.line, edit.new_text) == (1, 2, "")


@pytest.mark.parametrize("settings", [{"select": ("fake/two",)}, {"ignore": ("fake/one",)}])
def test_a_suppression_of_a_rule_that_is_off_is_not_unused(settings) -> None:
    assert codes("x // assay: ignore[fake/one] known\n", **settings) == []


def test_a_suppression_is_not_unused_when_the_analysis_stopped_early() -> None:
    assert codes("@raise // assay: ignore[fake/one] known\n") == []


def test_ignore_file_covers_the_file() -> None:
    assert codes("// assay: ignore-file[fake/*] generated\n@find(fake/one)\n@find(fake/two)\n") == []


def test_a_marker_in_a_string_is_none() -> None:
    assert codes('"// assay: ignore[fake/one] x" @find(fake/one)') == ["fake/one"]


@pytest.mark.parametrize(
    ("text", "words"),
    [("@raise", "because of a bug in it (ValueError: a bug with two lines)"), ("@deep", "nested too deeply")],
)
def test_a_failing_feature_gives_one_clear_line(text: str, words: str) -> None:
    got = report(text)
    assert words in got.skipped[0].reason
    assert "\n" not in got.skipped[0].reason
    assert got.partial


def test_a_deadline_leaves_a_partial_report() -> None:
    got = check(Document("file:///x.c", "c", "@slow"), Context(budget=Budget.seconds(0.01)))
    assert got.partial
    assert "time limit" in got.skipped[0].reason


def test_cancellation_is_passed_on() -> None:
    with pytest.raises(CancelledError):
        check(Document("file:///x.c", "c", "@slow"), Context(budget=Budget(None, lambda: True)))


def test_one_failing_feature_leaves_the_others(monkeypatch, fake_feature) -> None:
    class Broken:
        name, languages, rules = "a-broken-one", frozenset({"c"}), ()

        def check(self, document, context):
            raise KeyError("x")

    monkeypatch.setattr(registry, "installed", lambda: registry.Installed((Broken(), fake_feature), ()))
    got = report("@find(fake/one)")
    assert [finding.code for finding in got.findings] == ["fake/one"]
    assert "a-broken-one" in got.skipped[0].reason


def test_a_document_with_very_many_findings_tells_the_first_and_counts_the_rest() -> None:
    got = report("// assay: ignore[a,b,c]\n" * 10_000 + "@find(fake/one)\n")
    assert len(got.findings) == MAX_FINDINGS
    assert got.findings == tuple(sorted(got.findings, key=lambda one: (one.span, one.code, one.message)))
    (left_out,) = got.skipped
    assert f"{40_001 - MAX_FINDINGS:,} more findings from here on are left out" in left_out.reason
    assert left_out.span is not None
    assert left_out.span.start.line == MAX_FINDINGS // 4


def test_as_many_findings_as_are_told_leave_nothing_out() -> None:
    got = report("@find(fake/one)\n" * MAX_FINDINGS)
    assert (len(got.findings), got.skipped) == (MAX_FINDINGS, ())
    got = report("@find(fake/one)\n" * (MAX_FINDINGS + 1))
    assert "1 more finding from here on is left out" in got.skipped[0].reason
