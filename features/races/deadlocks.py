"""Deadlocks as findings: the cycle in words, each edge with its places, and the data for machines."""

from typing import Any

from assay.analyzers.findings import Confidence, Explanation, Finding, Related, Severity, Span
from assay.analyzers.races.deadlock_report import Deadlock, Wait
from assay.analyzers.races.ir import Site
from assay.analyzers.races.outcome import SourceText


def deadlock_finding(deadlock: Deadlock, source: SourceText, name: str) -> Finding:
    """Make the finding of a deadlock; it stands where a thread waits, in the document if there is such a place."""
    waits = sorted(deadlock.waits, key=lambda wait: source.span(wait.site)[0] is not None)
    path, span = source.span(waits[0].site)
    if path is not None:
        span = source.inclusion(waits[0].site)
    code = "race/self-deadlock" if deadlock.itself else "race/lock-order"
    return Finding(
        code=code,
        message=_itself(waits[0], source) if deadlock.itself else _cycle(deadlock, source),
        span=span,
        severity=Severity.WARNING,
        confidence=Confidence.LIKELY,
        evidence=(_evidence(deadlock, source, f"assay check --select {code} {name}"),),
        related=tuple(_related(deadlock, (None, span), source)),
        data={"deadlock": _edges(deadlock, source)},
    )


def _itself(wait: Wait, source: SourceText) -> str:
    return (
        f"`{wait.function}` waits on line {source.line(wait.site)} for {wait.wanted}, which the same thread has held "
        f"since line {source.line(wait.taken)}: it waits for ever."
    )


def _cycle(deadlock: Deadlock, source: SourceText) -> str:
    """Name each edge of the cycle; two threads of one function are told apart."""
    parts = [_edge(wait, source) for wait in deadlock.waits]
    if len(set(parts)) == 1:
        return f"Threads can wait for each other for ever: each thread {parts[0].removeprefix('thread ')}, in a cycle."
    return f"Threads can wait for each other for ever: {'; '.join(parts)}."


def _edge(wait: Wait, source: SourceText) -> str:
    return (
        f"thread `{wait.thread}` holds {wait.held} (taken on line {source.line(wait.taken)}) "
        f"and waits for {wait.wanted} on line {source.line(wait.site)}"
    )


def _evidence(deadlock: Deadlock, source: SourceText, command: str) -> Explanation:
    if deadlock.itself:
        summary = "The lock is not recursive, and nothing releases it between the two lines."
    else:
        threads = list(dict.fromkeys(f"`{wait.thread}` is {wait.started}" for wait in deadlock.waits))
        summary = f"No lock that they have in common keeps the threads apart; {', '.join(threads)}."
    return Explanation(summary, "\n".join(_place(wait, source) for wait in dict.fromkeys(deadlock.waits)), command)


def _place(wait: Wait, source: SourceText) -> str:
    through = [source.line(call) for call in wait.calls]
    called = f", called on line {', from line '.join(through)}" if through else ""
    return (
        f"- line {source.line(wait.site)}: `{source.text(wait.site).strip()}` in `{wait.function}`{called}, "
        f"while line {source.line(wait.taken)}, `{source.text(wait.taken).strip()}`, is not undone"
    )


def _related(deadlock: Deadlock, own: tuple[str | None, Span], source: SourceText) -> list[Related]:
    """Give the places of every edge beside the finding's own, each once."""
    found: dict[tuple[str | None, Span], Related] = {}
    for wait in deadlock.waits:
        places = [(wait.taken, f"{wait.held} is taken here"), (wait.site, f"waits for {wait.wanted} here")]
        places += [(call, f"the call that leads to waiting for {wait.wanted}") for call in wait.calls]
        for site, text in places:
            path, span = source.span(site)
            if (path, span) != own:
                found.setdefault((path, span), Related(f"thread `{wait.thread}`: {text}", span, path))
    return list(found.values())


def _edges(deadlock: Deadlock, source: SourceText) -> list[list[Any]]:
    lines = ([_line(taken, source), _line(site, source)] for taken, site in deadlock.edges)
    found = {tuple(line for line in pair if line is not None) for pair in lines if None not in pair}
    return [list(pair) for pair in sorted(found)]


def _line(site: Site, source: SourceText) -> int | None:
    path, span = source.span(site)
    return span.start.line + 1 if path is None else None
