"""Each rule's page shows a program that gives the finding and one that gives nothing: both are run here."""

import re
import tomllib

import pytest

from assay.analyzers.findings import Edit, Finding
from assay.features.comments import Lines
from assay.features.feature import Context, Document, Rule
from assay.features.pipeline import check
from assay.features.races import feature as races
from assay.features.registry import rules
from assay.features.settings import Settings
from assay.features.suppressions import RULES as SUPPRESSION_RULES

SECTIONS = ("Why it matters", "Example", "The same, fixed", "How to fix it", "When Assay is quiet")
CLOSING = {
    **{rule.code: ("How to suppress it", "What Assay does not model") for rule in races.rules},
    **{rule.code: ("How to switch it off",) for rule in SUPPRESSION_RULES},
}

every_rule = pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.code)
every_race = pytest.mark.parametrize("rule", races.rules, ids=lambda rule: rule.code)


def section(page: str, title: str) -> str:
    _, found, rest = page.partition(f"\n## {title}\n")
    assert found, f"the page has no section {title!r}"
    return rest.partition("\n## ")[0]


def program(page: str, title: str) -> str:
    (source,) = re.findall(r"^```c\n(.*?)^```", section(page, title), re.MULTILINE | re.DOTALL)
    return str(source)


def findings_in(text: str, settings: Settings | None = None) -> tuple[Finding, ...]:
    context = Context(settings=settings or Settings())
    report = check(Document(uri="untitled:page", language="c", text=text), context)
    assert report.skipped == ()
    return report.findings


def with_comment(text: str, finding: Finding, comment: str) -> str:
    lines = text.splitlines()
    lines[finding.span.start.line] += f" {comment}"
    return "\n".join(lines) + "\n"


def with_edit(text: str, edit: Edit) -> str:
    starts = Lines(text).starts
    start, end = (starts[place.line] + place.column for place in (edit.span.start, edit.span.end))
    return text[:start] + edit.new_text + text[end:]


@every_rule
def test_the_page_has_every_section_in_order(rule: Rule) -> None:
    titles = re.findall(r"^## (.*)$", rule.page(), re.MULTILINE)
    assert tuple(titles) == SECTIONS + CLOSING[rule.code]
    assert rule.page().startswith(f"# {rule.code}\n")


@every_rule
def test_the_example_gives_the_finding_and_no_other_that_the_page_does_not_tell(rule: Rule) -> None:
    codes = [finding.code for finding in findings_in(program(rule.page(), "Example"))]
    assert codes.count(rule.code) == 1
    told = re.findall(r"`(\w+/[\w-]+)`", section(rule.page(), "Example"))
    assert sorted(codes) == sorted([rule.code, *told])


@every_rule
def test_the_fixed_example_gives_nothing(rule: Rule) -> None:
    assert findings_in(program(rule.page(), "The same, fixed")) == ()


@every_race
def test_the_shown_suppression_silences_the_example(rule: Rule) -> None:
    line = program(rule.page(), "How to suppress it")
    comment = line[line.index("//") :].strip()
    text = program(rule.page(), "Example")
    (finding,) = findings_in(text)
    assert findings_in(with_comment(text, finding, comment)) == ()


@pytest.mark.parametrize("code", ["assay/unknown-code", "assay/unused-suppression"])
def test_the_fix_that_the_page_speaks_of_makes_the_fixed_example(code: str) -> None:
    (page,) = [rule.page() for rule in SUPPRESSION_RULES if rule.code == code]
    text = program(page, "Example")
    (finding,) = [finding for finding in findings_in(text) if finding.code == code]
    (edit,) = finding.fixes[0].edits
    assert with_edit(text, edit) == program(page, "The same, fixed")


@pytest.mark.parametrize("rule", SUPPRESSION_RULES, ids=lambda rule: rule.code)
def test_the_shown_setting_switches_the_rule_off(rule: Rule) -> None:
    (shown,) = re.findall(r"`(ignore = .*?)`", section(rule.page(), "How to switch it off"))
    settings = Settings(ignore=tuple(tomllib.loads(shown)["ignore"]))
    left = [finding.code for finding in findings_in(program(rule.page(), "Example"), settings)]
    assert rule.code not in left
