"""From a document to its report: the one path that every front end takes.

Features run one after the other and cannot hurt each other; then rules are selected, suppression comments
applied, and the comments themselves judged.
"""

import logging
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase

from attrs import evolve, frozen

from assay.analyzers.errors import AssayError, CancelledError
from assay.analyzers.findings import Confidence, Fact, Finding, Severity, Skipped
from assay.features import registry
from assay.features.feature import Context, Document, Feature
from assay.features.settings import Settings
from assay.features.suppressions import judge, parse

MAX_FINDINGS = 1_000
"""Findings told about one document: nobody reads more, and a file made to have many must not take memory for them."""

_log = logging.getLogger(__name__)


@frozen
class Report:
    """What checking one document gave.

    `facts` are what a person may ask about and no findings; `suppressed` counts the findings that a comment silenced;
    `partial` says that a feature stopped early, so that the same document may give more another time.
    """

    findings: tuple[Finding, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    suppressed: int = 0
    partial: bool = False
    facts: tuple[Fact, ...] = ()


def check(document: Document, context: Context) -> Report:
    """Run every feature for the document's language; raise `CancelledError` when the budget is cancelled."""
    findings: list[Finding] = []
    skipped: list[Skipped] = []
    facts: list[Fact] = []
    partial = False
    ran = [feature for feature in registry.for_language(document.language) if enabled(feature, context.settings)]
    for feature in ran:
        whole = _run(feature, document, context, findings, skipped, facts)
        partial = partial or not whole
    return _finish(document, context.settings, ran, Report(tuple(findings), tuple(skipped), 0, partial, tuple(facts)))


def selected(code: str, settings: Settings) -> bool:
    """Tell whether the settings ask for a rule: `ignore` wins over `select`, and an empty `select` means all."""
    if any(fnmatchcase(code, pattern) for pattern in settings.ignore):
        return False
    return not settings.select or any(fnmatchcase(code, pattern) for pattern in settings.select)


def enabled(feature: Feature, settings: Settings) -> bool:
    """Tell whether a feature is switched on: by ``enabled`` in the settings group that carries its name."""
    group = getattr(settings, feature.name.replace("-", "_"), None)
    return bool(getattr(group, "enabled", True))


def _run(
    feature: Feature,
    document: Document,
    context: Context,
    findings: list[Finding],
    skipped: list[Skipped],
    facts: list[Fact],
) -> bool:
    """Collect what a feature says; give False when it stopped early."""
    try:
        for result in feature.check(document, context):
            if isinstance(result, Finding):
                findings.append(result)
            elif isinstance(result, Fact):
                facts.append(result)
            else:
                skipped.append(result)
    except CancelledError:
        raise
    except Exception as error:  # a feature may come from anywhere, and its bugs must not stop the others
        skipped.append(Skipped(_explain(feature, error)))
        return False
    return True


def _explain(feature: Feature, error: Exception) -> str:
    """Say in one line why a feature stopped, and what to do."""
    match error:
        case AssayError():
            return str(error)
        case MemoryError():
            return f"The analysis ({feature.name}) ran out of memory. Split the file, or exclude it."
        case RecursionError():
            return f"The code is nested too deeply for the analysis ({feature.name}). Simplify it, or exclude the file."
    _log.error("feature %s failed", feature.name, exc_info=error)
    what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    return f"The analysis ({feature.name}) failed on this file because of a bug in it ({what}). Please report it."


def _finish(document: Document, settings: Settings, ran: Iterable[Feature], raw: Report) -> Report:
    chosen = [_bounded(finding) for finding in raw.findings if selected(finding.code, settings)]
    expected = _expectation({rule.code for feature in ran for rule in feature.rules}, settings, raw.partial)
    known = frozenset(rule.code for rule in registry.rules())
    suppressions = parse(document.text, document.language)
    judged = judge(suppressions, chosen, known, expected, lambda code: selected(code, settings), MAX_FINDINGS + 1)
    findings = sorted((*judged.kept, *judged.complaints), key=lambda found: (found.span, found.code, found.message))
    shown, more = tuple(findings[:MAX_FINDINGS]), findings[MAX_FINDINGS:]
    skipped = (*raw.skipped, *_left_out(more, len(more) + judged.unlisted))
    return evolve(raw, findings=shown, skipped=skipped, suppressed=judged.suppressed)


def _left_out(more: list[Finding], count: int) -> Iterable[Skipped]:
    """Say how many findings are not shown, at the first of them."""
    if more:
        what = f"{count:,} more finding{'s' * (count > 1)} from here on {'are' if count > 1 else 'is'} left out"
        advice = "Correct the first ones, choose rules with `select`, or exclude the file."
        yield Skipped(f"The first {MAX_FINDINGS:,} findings of this file are shown; {what}. {advice}", more[0].span)


def _expectation(looked_for: set[str], settings: Settings, partial: bool) -> Callable[[str], bool]:
    return lambda code: not partial and code in looked_for and selected(code, settings)


def _bounded(finding: Finding) -> Finding:
    """Keep what is inconclusive from ever looking like a warning."""
    if finding.confidence is Confidence.INCONCLUSIVE and finding.severity is not Severity.HINT:
        return evolve(finding, severity=Severity.HINT)
    return finding
