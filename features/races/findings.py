"""Races as findings: the message, the evidence in words, the related place, the data for machines."""

from typing import Any

from assay.analyzers.findings import Confidence, Explanation, Finding, Related, Severity, Span
from assay.analyzers.races.ir import Site
from assay.analyzers.races.outcome import Hazard, Races, SourceText, Step
from assay.analyzers.races.report import Kind, Race, Side

_SUMMARY = {
    Kind.MIXED_ATOMIC: "is accessed atomically in one place and plainly in another",
    Kind.WRONG_LOCK: "is accessed under different locks",
    Kind.MISSING_JOIN: "is used while the thread that changes it may still run",
    Kind.LOST_UPDATE: "is updated by two threads at once, so that an update can be lost",
    Kind.WRITE_WRITE: "is written by two threads at once",
    Kind.READ_WRITE: "is read while another thread may write it",
}


def finding(race: Race, races: Races, name: str) -> Finding:
    """Make the finding of a race.

    It stands at an access in the document if there is one, else where the document includes the header.
    """
    source = races.source
    first, second = race.first, race.second
    if source.span(first.site)[0] is not None and source.span(second.site)[0] is None:
        first, second = second, first
    path, span = source.span(first.site)
    elsewhere = [second] if path is None else [first, second]
    if path is not None:
        span = source.inclusion(first.site)
    return Finding(
        code=f"race/{race.kind}",
        message=f"`{race.variable}` {_SUMMARY[race.kind]}: {_places(first, second, source)}.",
        span=span,
        severity=Severity.WARNING,
        confidence=Confidence.LIKELY,
        evidence=(_evidence(race, first, second, source, name),),
        related=tuple(_related(elsewhere, span, source)),
        data=_data(race, source),
    )


def hazard_finding(hazard: Hazard, source: SourceText, name: str) -> Finding:
    """Make the finding of a hazard, at its first place; the others are related."""
    first, *others = hazard.steps
    path, span = source.span(first.site)
    if path is not None:
        span = source.inclusion(first.site)
        others = [first, *others]
    places = [
        f"- line {source.line(step.site)}: `{source.text(step.site).strip()}`, {step.words}" for step in hazard.steps
    ]
    reproduce = f"assay check --select race/{hazard.kind} {name}"
    return Finding(
        code=f"race/{hazard.kind}",
        message=hazard.message,
        span=span,
        severity=Severity.WARNING,
        confidence=Confidence.LIKELY,
        evidence=(Explanation(hazard.reason, "\n".join(places), reproduce),),
        related=tuple(_place(step, source) for step in others),
        data=hazard.data,
    )


def _place(step: Step, source: SourceText) -> Related:
    path, span = source.span(step.site)
    return Related(step.words, span, path)


def _related(sides: list[Side], span: Span, source: SourceText) -> list[Related]:
    """Give the places beside the finding's own, each once."""
    what = "the other access" if len(sides) == 1 else "an access"
    found: dict[tuple[str | None, Span], Related] = {}
    for side in sides:
        path, where = source.span(side.site)
        if (path, where) != (None, span):
            found.setdefault((path, where), Related(f"{what}: {_in_words(side)}", where, path))
    return list(found.values())


def _places(first: Side, second: Side, source: SourceText) -> str:
    one, other = (f"{side.role} in `{side.function}` on line {source.line(side.site)}" for side in (first, second))
    if first.holds != second.holds:
        return f"{one} {first.holds}, {other} {second.holds}"
    if first.site == second.site:
        return f"{one} {first.holds}"
    return f"{one} and {other} {_both(first)}"


def _both(side: Side) -> str:
    return "hold" + side.holds.removeprefix("holds")


def _protection(first: Side, second: Side, source: SourceText) -> str:
    """Say what the two accesses hold, in one sentence without its end."""
    if first.holds != second.holds and first.role != second.role:
        return f"The {first.role} {first.holds}, the {second.role} {second.holds}"
    if first.holds != second.holds:
        where, there = _apart(first, second, source)
        return f"The {first.role} {where} {first.holds}, the one {there} {second.holds}"
    subject = f"Both {first.role}s" if first.role == second.role else f"The {first.role} and the {second.role}"
    return f"{subject} {_both(first)}"


def _apart(first: Side, second: Side, source: SourceText) -> tuple[str, ...]:
    """Tell two accesses of one kind apart: by their functions, or else by their lines."""
    if first.function != second.function:
        return tuple(f"in `{side.function}`" for side in (first, second))
    return tuple(f"on line {source.line(side.site)}" for side in (first, second))


def _in_words(side: Side) -> str:
    return f"{side.role} in `{side.function}`, {side.holds}"


def _evidence(race: Race, first: Side, second: Side, source: SourceText, name: str) -> Explanation:
    summary = f"{_protection(first, second, source)}; {race.overlap}."
    places = [
        f"- line {source.line(side.site)}: `{source.text(side.site).strip()}`, {_in_words(side)}"
        for side in (first, second)
    ]
    if places[0] == places[1]:
        places = [f"{places[0]}, in both threads"]
    others = len(_line_pairs(race, source)) - 1
    more = (
        [f"- {others} more line {'pair races' if others == 1 else 'pairs race'} on `{race.variable}`"]
        if others > 0
        else []
    )
    return Explanation(summary, "\n".join([*places, *more]), f"assay check --select race/{race.kind} {name}")


def _line_pairs(race: Race, source: SourceText) -> list[list[int]]:
    """Give every unordered pair of racing lines of the document once, 1-based."""
    found = set()
    for one, other in race.pairs:
        lines = [_document_line(site, source) for site in (one, other)]
        if None not in lines:
            found.add(tuple(sorted(line for line in lines if line is not None)))
    return [list(pair) for pair in sorted(found)]


def _document_line(site: Site, source: SourceText) -> int | None:
    path, span = source.span(site)
    return span.start.line + 1 if path is None else None


def _data(race: Race, source: SourceText) -> dict[str, Any]:
    return {"pairs": [{"variable": race.variable, "lines": pair} for pair in _line_pairs(race, source)]}
