"""Rules from a feature's table: each with one sentence, a severity, and a page of documentation in its package."""

from collections.abc import Mapping
from functools import partial
from importlib import resources

from assay.analyzers.findings import Severity
from assay.features.feature import Rule
from assay.features.links import rule_slug


def rules_of(package: str, table: Mapping[str, tuple[str, Severity]]) -> tuple[Rule, ...]:
    """Make the rules of `table` (code to summary and severity); `race/x` has its page in ``pages/race-x.md``."""
    return tuple(
        Rule(code, summary, severity, partial(_page, package, code)) for code, (summary, severity) in table.items()
    )


def _page(package: str, code: str) -> str:
    return resources.files(package).joinpath("pages", f"{rule_slug(code)}.md").read_text(encoding="utf-8")
