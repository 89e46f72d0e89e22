"""Apply suppressions to findings, and report the suppressions that are wrong themselves."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches

from attrs import frozen

from assay.analyzers.findings import (
    Confidence,
    Edit,
    Explanation,
    Finding,
    Fix,
    Severity,
    Verification,
    VerificationResult,
)
from assay.features.rules import rules_of
from assay.features.suppressions.parse import FILE_LEVEL_LINES, Suppression, matches

WITHOUT_REASON = "assay/suppression-without-reason"
UNUSED = "assay/unused-suppression"
UNKNOWN = "assay/unknown-code"

_SUMMARIES = {
    WITHOUT_REASON: ("A suppression comment does not say why the finding is acceptable.", Severity.HINT),
    UNUSED: ("A suppression comment silences nothing.", Severity.HINT),
    UNKNOWN: ("A suppression comment names a rule that does not exist.", Severity.WARNING),
}


RULES = rules_of("assay.features.suppressions", _SUMMARIES)


@frozen
class Judged:
    """What is left to show, how many findings were silenced, and what is wrong with the comments."""

    kept: tuple[Finding, ...]
    suppressed: int
    complaints: tuple[Finding, ...]


def judge(
    suppressions: Sequence[Suppression],
    findings: Iterable[Finding],
    known: frozenset[str],
    expected: Callable[[str], bool],
) -> Judged:
    """Silence findings by comment.

    `known` holds every code a comment may name.  `expected` tells whether a code was looked for at all: a
    suppression of a rule that was switched off, or cut short, is not called unused.
    """
    used: dict[int, set[str]] = defaultdict(set)
    kept: list[Finding] = []
    total = 0
    near = _by_line(suppressions)
    for finding in findings:
        total += 1
        hits = {n: patterns for n in near(finding) if (patterns := suppressions[n].silences(finding))}
        for number, patterns in hits.items():
            used[number].update(patterns)
        if not hits:
            kept.append(finding)
    complaints = [
        complaint
        for number, suppression in enumerate(suppressions)
        for complaint in _complaints(suppression, used[number], known, expected)
    ]
    return Judged(tuple(kept), total - len(kept), tuple(complaints))


def _by_line(suppressions: Sequence[Suppression]) -> Callable[[Finding], set[int]]:
    """Give a way to find the suppressions that may concern a finding, without asking each of them."""
    whole = {number for number, one in enumerate(suppressions) if one.lines is None}
    at: dict[int, set[int]] = defaultdict(set)
    for number, one in enumerate(suppressions):
        for line in one.lines or ():
            at[line].add(number)

    def near(finding: Finding) -> set[int]:
        spans = [finding.span, *(related.span for related in finding.related if related.path is None)]
        lines = {line for span in spans for line in range(span.start.line, span.end.line + 1)}
        return whole.union(*(at[line] for line in lines if line in at))

    return near


def _complaints(
    suppression: Suppression, used: set[str], known: frozenset[str], expected: Callable[[str], bool]
) -> Iterable[Finding]:
    if not suppression.patterns:
        yield _names_nothing(suppression)
        return
    named = {p: [code for code in known if matches(code, p)] for p in suppression.patterns}
    for pattern, codes in named.items():
        if not codes:
            yield _unknown(suppression, pattern, known)
    if not suppression.reason:
        yield _without_reason(suppression)
    unused = [p for p, codes in named.items() if p not in used and any(expected(code) for code in codes)]
    if unused:
        yield _unused(suppression, unused)


def _names_nothing(suppression: Suppression) -> Finding:
    return _complaint(
        UNKNOWN,
        suppression,
        "This suppression names no rule, so it silences nothing. Name one: `assay: ignore[race/lost-update] reason`.",
        "The brackets after `ignore` list the rules to silence, and none is listed here.",
    )


def _unknown(suppression: Suppression, pattern: str, known: frozenset[str]) -> Finding:
    near = get_close_matches(pattern, sorted(known), n=1)
    advice = f"Did you mean `{near[0]}`?" if near else "`assay rules` lists them."
    return _complaint(
        UNKNOWN,
        suppression,
        f"No rule is called `{pattern}`, so this suppression silences nothing. {advice}",
        f"`{pattern}` matches none of the {len(known)} rules of the installed features.",
    )


def _without_reason(suppression: Suppression) -> Finding:
    return _complaint(
        WITHOUT_REASON,
        suppression,
        "This suppression does not say why the finding is acceptable. Write the reason after the bracket.",
        "No text follows the closing bracket.",
    )


def _unused(suppression: Suppression, patterns: list[str]) -> Finding:
    names = ", ".join(f"`{pattern}`" for pattern in patterns)
    if suppression.lines == ():
        why = f"`ignore-file` counts only in the first {FILE_LEVEL_LINES} lines of a file. Move it up."
    else:
        where = "in this file" if suppression.file_level else "on the lines it covers"
        why = f"nothing {where} is reported as {names}. Remove it."
    fixes = _removals(suppression) if len(patterns) == len(suppression.patterns) else ()
    evidence = "The file was checked with every suppression set aside, and no finding was silenced by this comment."
    return _complaint(UNUSED, suppression, f"This suppression of {names} is unused: {why}", evidence, fixes)


def _removals(suppression: Suppression) -> tuple[Fix, ...]:
    if suppression.removal is None:
        return ()
    verification = Verification(
        "analysis of the file with every suppression set aside",
        "the lines this comment covers",
        VerificationResult.PASSED,
    )
    return (Fix("Remove the unused suppression", (Edit(suppression.removal, ""),), verification, preferred=True),)


def _complaint(
    code: str, suppression: Suppression, message: str, evidence: str, fixes: tuple[Fix, ...] = ()
) -> Finding:
    return Finding(
        code=code,
        message=message,
        span=suppression.span,
        severity=_SUMMARIES[code][1],
        confidence=Confidence.PROVED,
        evidence=(Explanation(evidence),),
        fixes=fixes,
        tags=("unnecessary",) if code == UNUSED else (),
    )
