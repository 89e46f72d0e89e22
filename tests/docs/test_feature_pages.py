"""Each feature has a page, and what the page shows is so."""

import re

import pytest
from attrs import evolve
from documents import DOCS, blocks

from assay.features.feature import Context, Document
from assay.features.pipeline import Report, check
from assay.features.registry import features
from assay.features.suppressions import RULES as SUPPRESSION_RULES

PAGES = DOCS / "features"


def page(name: str) -> str:
    return (PAGES / f"{name}.md").read_text(encoding="utf-8")


def checked(text: str) -> Report:
    return check(Document(uri="untitled:page", language="c", text=text), Context())


@pytest.mark.parametrize("feature", features(), ids=lambda feature: feature.name)
def test_the_feature_has_a_page_that_leads_to_each_of_its_rules(feature) -> None:
    linked = re.findall(r"\[([\w-]+/[\w-]+)\]\(\.\./rules/", page(feature.name))
    assert sorted(linked) == sorted(rule.code for rule in feature.rules)


def test_the_page_of_suppressions_leads_to_each_rule_about_them() -> None:
    linked = re.findall(r"\[([\w-]+/[\w-]+)\]\(\.\./rules/", page("suppressions"))
    assert sorted(linked) == sorted(rule.code for rule in SUPPRESSION_RULES)


def test_the_shown_suppression_silences_one_finding_and_is_itself_in_order() -> None:
    program, _without_reason = blocks(page("suppressions"), "c")
    report = checked(program)
    assert (report.findings, report.suppressed) == ((), 1)
    without = re.sub(r" // assay:.*", "", program)
    assert [finding.code for finding in checked(without).findings] == ["race/lost-update"]


def test_the_shown_suppression_without_a_reason_is_reported() -> None:
    _program, without_reason = blocks(page("suppressions"), "c")
    assert [finding.code for finding in checked(without_reason).findings] == ["assay/suppression-without-reason"]


def test_the_page_of_races_shows_one_and_its_cure() -> None:
    bad, good = blocks(page("races"), "c")
    assert [finding.code for finding in checked(bad).findings] == ["race/wrong-lock"]
    assert evolve(checked(good), facts=()) == Report()


@pytest.mark.parametrize(
    "comment",
    [
        "/* assay: ignore[race/lost-update] an estimate */ hits++;",
        "hits++; // assay: ignore[race/*] an estimate",
        "// assay: ignore[race/lost-update] an estimate\n    hits++;",
    ],
    ids=["block", "pattern", "above"],
)
def test_the_other_forms_that_the_page_tells_of_work(comment: str) -> None:
    program, _without_reason = blocks(page("suppressions"), "c")
    report = checked(re.sub(r"hits\+\+;.*", comment, program, count=1))
    assert (report.findings, report.suppressed) == ((), 1)


def test_a_comment_for_the_whole_file_works_near_its_top() -> None:
    program, _without_reason = blocks(page("suppressions"), "c")
    bare = re.sub(r" // assay:.*", "", program)
    report = checked("// assay: ignore-file[race/*] a demonstration\n" + bare)
    assert (report.findings, report.suppressed) == ((), 1)
