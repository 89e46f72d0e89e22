"""Each rule's page shows a program that gives the finding and one that does not: both are run here."""

import re

import pytest

from assay.analyzers.findings import Finding
from assay.features.feature import Context, Document, Rule
from assay.features.pipeline import check
from assay.features.races import feature

SECTIONS = (
    "Why it matters",
    "Example",
    "The same, fixed",
    "How to fix it",
    "When Assay is quiet",
    "How to suppress it",
    "What Assay does not model",
)

every_rule = pytest.mark.parametrize("rule", feature.rules, ids=lambda rule: rule.code)


def section(page: str, title: str) -> str:
    _, found, rest = page.partition(f"\n## {title}\n")
    assert found, f"the page has no section {title!r}"
    return rest.partition("\n## ")[0]


def program(page: str, title: str) -> str:
    (source,) = re.findall(r"^```c\n(.*?)^```", section(page, title), re.MULTILINE | re.DOTALL)
    return str(source)


def findings_in(text: str) -> tuple[Finding, ...]:
    report = check(Document(uri="untitled:page", language="c", text=text), Context())
    assert report.skipped == ()
    return report.findings


def with_comment(text: str, finding: Finding, comment: str) -> str:
    lines = text.splitlines()
    lines[finding.span.start.line] += f" {comment}"
    return "\n".join(lines) + "\n"


@every_rule
def test_the_page_has_every_section_in_order(rule: Rule) -> None:
    titles = re.findall(r"^## (.*)$", rule.page(), re.MULTILINE)
    assert tuple(titles) == SECTIONS
    assert rule.page().startswith(f"# {rule.code}\n")


@every_rule
def test_the_example_gives_the_finding_and_no_other(rule: Rule) -> None:
    assert [finding.code for finding in findings_in(program(rule.page(), "Example"))] == [rule.code]


@every_rule
def test_the_fixed_example_gives_nothing(rule: Rule) -> None:
    assert findings_in(program(rule.page(), "The same, fixed")) == ()


@every_rule
def test_the_shown_suppression_silences_the_example(rule: Rule) -> None:
    line = program(rule.page(), "How to suppress it")
    comment = line[line.index("//") :].strip()
    text = program(rule.page(), "Example")
    (finding,) = findings_in(text)
    assert findings_in(with_comment(text, finding, comment)) == ()
