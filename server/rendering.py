"""Write a finding as Markdown for a hover, and reduce Markdown to text for editors that cannot show it."""

import re

from assay.analyzers.findings import Evidence, Fact, Finding, Severity
from assay.features.links import rule_url

_SPECIAL = re.compile(r"([\\*_{}\[\]<>#|~])")
_LABEL = {
    Severity.ERROR: "Error",
    Severity.WARNING: "Warning",
    Severity.INFORMATION: "Information",
    Severity.HINT: "Hint",
}


def escaped(text: str) -> str:
    """Make text safe inside Markdown; what stands between backticks is code already."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return _SPECIAL.sub(r"\\\1", text).replace("`", "\\`")
    return "`".join(part if index % 2 else _SPECIAL.sub(r"\\\1", part) for index, part in enumerate(parts))


def hover(findings: list[Finding], shown: bool = False) -> str:
    """Give the findings with their evidence, one after the other.

    Where the client has `shown` the messages itself, a lone finding goes without; of several, each needs its own.
    """
    headless = shown and len(findings) == 1
    return together([_finding(finding, headless) for finding in findings])


def together(parts: list[str]) -> str:
    """Put parts of a hover under one another."""
    return "\n\n---\n\n".join(parts)


def fact(known: Fact) -> str:
    """Give what is known about a place that is no finding; its details are Markdown already."""
    return "\n\n".join(part for part in (f"**{escaped(known.summary)}**", known.details.strip()) if part)


def _finding(finding: Finding, headless: bool) -> str:
    head = "" if headless else f"**{escaped(finding.message)}**"
    what = f"{_LABEL[finding.severity]} [{finding.code}]({rule_url(finding.code)}), {finding.confidence.value}"
    parts = [head, what, *(_evidence(evidence) for evidence in finding.evidence), _related(finding), _silence(finding)]
    return "\n\n".join(part for part in parts if part)


def _evidence(evidence: Evidence) -> str:
    lines = [f"Why: {escaped(evidence.summary)}"]
    if evidence.details:
        lines.append(evidence.details.strip())
    if evidence.reproduce:
        lines.append(f"Reproduce:\n```sh\n{evidence.reproduce}\n```")
    return "\n\n".join(lines)


def _related(finding: Finding) -> str:
    lines = []
    for related in finding.related:
        where = f"line {related.span.start.line + 1}"
        where = f"{related.path}, {where}" if related.path else where
        lines.append(f"- {escaped(where)}: {escaped(related.message)}")
    return "\n".join(lines)


def _silence(finding: Finding) -> str:
    return f"To silence it here: `assay: ignore[{finding.code}] reason` in a comment on the line."


def plain(markdown: str) -> str:
    """Give Markdown without its marks."""
    text = re.sub(r"^```.*\n?", "", markdown, flags=re.MULTILINE)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = text.replace("**", "").replace("\n\n---\n\n", "\n\n")
    return re.sub(r"\\(.)", r"\1", text)
