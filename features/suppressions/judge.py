"""Apply suppressions to findings, and report the suppressions that are wrong themselves."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from attrs import Factory, define, frozen

from assay.analyzers.findings import (
    Confidence,
    Edit,
    Explanation,
    Finding,
    Fix,
    Severity,
    Span,
    Verification,
    VerificationResult,
)
from assay.features.nearest import nearest
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

CLOSE = 0.8
"""How much a name must resemble a rule's, from 0 to 1, for a fix that replaces it."""

MAX_SUGGESTED = 2_000
"""Misspelled names of one file for which the nearest rule is looked for; the others are only called unknown."""

RULES = rules_of("assay.features.suppressions", _SUMMARIES)


@frozen
class Judged:
    """What is left to show, how many findings were silenced, and what is wrong with the comments.

    `unlisted` counts the complaints beyond those that were asked for.
    """

    kept: tuple[Finding, ...]
    suppressed: int
    complaints: tuple[Finding, ...]
    unlisted: int = 0


def judge(
    suppressions: Sequence[Suppression],
    findings: Iterable[Finding],
    known: frozenset[str],
    expected: Callable[[str], bool],
    wanted: Callable[[str], bool] = lambda code: True,
    most: int | None = None,
) -> Judged:
    """Silence findings by comment.

    `known` holds every code a comment may name.  `expected` tells whether a code was looked for at all: a
    suppression of a rule that was switched off, or cut short, is not called unused.  `wanted` tells which rules about
    the comments themselves are on; of what they say, the first `most` are kept.
    """
    silenced = _Silenced.by(suppressions, findings)
    critic = Critic(known, expected, _lines_by_code(silenced.kept))
    complaints = (
        complaint
        for number, suppression in enumerate(suppressions)
        for complaint in critic.complaints(suppression, silenced.used[number])
        if wanted(complaint.code)
    )
    listed = tuple(islice(complaints, most))
    return Judged(tuple(silenced.kept), silenced.count, listed, sum(1 for _ in complaints))


@define
class _Silenced:
    """Which findings no suppression silences, how many one does, and the patterns of each that did, by its number."""

    kept: list[Finding] = Factory(list)
    count: int = 0
    used: dict[int, set[str]] = Factory(lambda: defaultdict(set))

    @classmethod
    def by(cls, suppressions: Sequence[Suppression], findings: Iterable[Finding]) -> "_Silenced":
        made = cls()
        near = _by_line(suppressions)
        for finding in findings:
            hits = {n: patterns for n in near(finding) if (patterns := suppressions[n].silences(finding))}
            made._add(finding, hits)
        return made

    def _add(self, finding: Finding, hits: Mapping[int, Iterable[str]]) -> None:
        for number, patterns in hits.items():
            self.used[number].update(patterns)
        if hits:
            self.count += 1
        else:
            self.kept.append(finding)


def _lines_by_code(findings: Iterable[Finding]) -> dict[str, set[int]]:
    """Give the lines on which a suppression would silence a finding, for each code."""
    lines: dict[str, set[int]] = defaultdict(set)
    for finding in findings:
        lines[finding.code].update(_lines_of(finding))
    return dict(lines)


def _lines_of(finding: Finding) -> set[int]:
    return {line for span in finding.own_spans for line in range(span.start.line, span.end.line + 1)}


def _by_line(suppressions: Sequence[Suppression]) -> Callable[[Finding], set[int]]:
    """Give a way to find the suppressions that may concern a finding, without asking each of them."""
    whole = {number for number, one in enumerate(suppressions) if one.lines is None}
    at: dict[int, set[int]] = defaultdict(set)
    for number, one in enumerate(suppressions):
        for line in one.lines or ():
            at[line].add(number)

    def near(finding: Finding) -> set[int]:
        return whole.union(*(at[line] for line in _lines_of(finding) if line in at))

    return near


@define
class Critic:
    """Says what is wrong with suppressions; `open_lines` are those with findings that nothing silences, by code."""

    known: frozenset[str]
    expected: Callable[[str], bool]
    open_lines: Mapping[str, set[int]]
    _near: dict[str, tuple[str, ...]] = Factory(dict)

    def complaints(self, suppression: Suppression, used: set[str]) -> Iterator[Finding]:
        """Complain about one suppression, of whose patterns `used` silenced something."""
        if not suppression.patterns:
            yield _names_nothing(suppression)
            return
        named = {p: [code for code in self.known if matches(code, p)] for p in suppression.patterns}
        for pattern, codes in named.items():
            if not codes:
                yield self._unknown(suppression, pattern)
        if not suppression.reason:
            yield _without_reason(suppression)
        unused = [p for p, codes in named.items() if p not in used and any(map(self.expected, codes))]
        if unused:
            yield _unused(suppression, unused)

    def _unknown(self, suppression: Suppression, pattern: str) -> Finding:
        near = self._nearest(pattern)
        meant = " or ".join(f"`{code}`" for code in near)
        advice = f"Did you mean {meant}?" if near else "`assay rules` lists them."
        return _complaint(
            UNKNOWN,
            suppression,
            f"No rule is called `{pattern}`, so this suppression silences nothing. {advice}",
            f"`{pattern}` matches none of the {len(self.known)} rules of the installed features.",
            self._renaming(suppression, pattern, near),
        )

    def _nearest(self, pattern: str) -> tuple[str, ...]:
        if pattern not in self._near and len(self._near) < MAX_SUGGESTED:
            self._near[pattern] = nearest(pattern, self.known)
        return self._near.get(pattern, ())

    def _renaming(self, suppression: Suppression, pattern: str, near: tuple[str, ...]) -> tuple[Fix, ...]:
        """Offer the rule that was meant, if only one comes so close; it is preferred where it silences a finding."""
        close = nearest(pattern, near, CLOSE) if near else ()
        if len(close) != 1:
            return ()
        hits = self._would_silence(suppression, close[0])
        verification = Verification(
            "comparison with the findings of the file",
            f"whether the comment then silences a `{close[0]}`",
            VerificationResult.PASSED if hits else VerificationResult.FAILED,
        )
        place = suppression.places[suppression.patterns.index(pattern)]
        return (Fix(f"Name `{close[0]}` instead", (Edit(place, close[0]),), verification, preferred=hits),)

    def _would_silence(self, suppression: Suppression, code: str) -> bool:
        lines = self.open_lines.get(code, set())
        return bool(lines) if suppression.lines is None else not lines.isdisjoint(suppression.lines)


def _names_nothing(suppression: Suppression) -> Finding:
    return _complaint(
        UNKNOWN,
        suppression,
        "This suppression names no rule, so it silences nothing. Name one: `assay: ignore[race/lost-update] reason`.",
        "The brackets after `ignore` list the rules to silence, and none is listed here.",
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
    evidence = "The file was checked with every suppression set aside, and no finding was silenced by this comment."
    message = f"This suppression of {names} is unused: {why}"
    return _complaint(UNUSED, suppression, message, evidence, _removals(suppression, set(patterns)))


def _removals(suppression: Suppression, unused: set[str]) -> tuple[Fix, ...]:
    whole = unused.issuperset(suppression.patterns)
    edit = _removal(suppression) if whole else _shortened(suppression, unused)
    if edit is None:
        return ()
    verification = Verification(
        "analysis of the file with every suppression set aside",
        "the lines this comment covers",
        VerificationResult.PASSED,
    )
    title = "Remove the unused suppression" if whole else "Remove what is unused from the suppression"
    return (Fix(title, (edit,), verification, preferred=True),)


def _removal(suppression: Suppression) -> Edit | None:
    return None if suppression.removal is None else Edit(suppression.removal, "")


def _shortened(suppression: Suppression, unused: set[str]) -> Edit:
    """Write the patterns anew without those that are unused."""
    left = ", ".join(dict.fromkeys(pattern for pattern in suppression.patterns if pattern not in unused))
    return Edit(Span(suppression.places[0].start, suppression.places[-1].end), left)


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
