"""What is known about every shared access and variable, for those who ask: the text of hovers and of code lenses."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from assay.analyzers.findings import Fact, Related
from assay.analyzers.races.explain import Account, Reason, Verdict
from assay.analyzers.races.guarding import guarding
from assay.analyzers.races.ir import Site
from assay.analyzers.races.outcome import Races, SourceText

MAX_FACTS = 4_000
"""Accesses of one document that are explained; their text stays in memory while the document is open."""

_OUTCOME = {Verdict.RACES: "races", Verdict.UNKNOWN: "no race found, but why is not known"}


def facts(races: Races, headlines: bool) -> Iterator[Fact]:
    """Give a fact for each access of the document, and with `headlines` one for each declaration."""
    here = [account for account in races.accounts if races.source.span(account.site)[0] is None]
    for account in here[:MAX_FACTS]:
        _path, span = races.source.span(account.site)
        yield Fact(
            span,
            summary(account),
            details(account, races),
            related=tuple(_related(account, races.source)),
            data=_data(account),
        )
    if headlines:
        yield from _headlines(races)


def _headlines(races: Races) -> Iterator[Fact]:
    listed = guarding(races.accounts)[:MAX_FACTS]
    lines = Counter(one.declared.line for one in listed)
    for one in listed:
        path, span = races.source.span(one.declared)
        if path is None:
            text = f"{one.variable}: {one.words}" if lines[one.declared.line] > 1 else one.words
            yield Fact(span, text.replace("`", ""), headline=True)


def _related(account: Account, source: SourceText) -> Iterator[Related]:
    """Give the other accesses, each once, with the first reason that speaks of it."""
    told: dict[Site, str] = {}
    for reason in account.reasons:
        for site in reason.others:
            told.setdefault(site, reason.words)
    for site, text in told.items():
        if site != account.site:
            path, span = source.span(site)
            yield Related(text, span, path)


def _data(account: Account) -> dict[str, Any]:
    return {
        "variable": account.variable,
        "role": account.role,
        "function": account.function,
        "verdict": str(account.verdict),
        "locks": [lock.replace("`", "") for lock in account.locks],
        "threads": [thread.replace("`", "") for thread in account.threads],
        "reasons": [{"verdict": str(reason.verdict), "words": reason.words} for reason in account.reasons],
    }


def summary(account: Account) -> str:
    """Say in one line what an access is and what came out."""
    what = f"{account.role} of `{account.variable}` in `{account.function}`"
    return f"{what[0].upper()}{what[1:]}: {_OUTCOME.get(account.verdict, 'no race found')}"


def details(account: Account, races: Races) -> str:
    """Give the reasons, what the access holds and who makes it, in Markdown."""
    lines = [f"- {reason_words(reason, account, races.source)}" for reason in account.reasons]
    parts = ["\n".join(lines)]
    if account.threads:
        holds = " and ".join(account.locks) or "no lock"
        parts.append(f"Holds {holds}. Made by {_listed(account.threads)}.")
    if races.skipped:
        parts.append("Parts of the program could not be modelled, so there may be more than this.")
    return "\n\n".join(parts)


def reason_words(reason: Reason, account: Account, source: SourceText) -> str:
    """Say one reason, with the other accesses it speaks of."""
    if not reason.others:
        return reason.words
    lines = dict.fromkeys(source.line(site) for site in reason.others if site != account.site)
    places = ["itself in another thread"] if account.site in reason.others else []
    places += [f"line{'s' * (len(lines) > 1)} {_listed(list(lines))}"] if lines else []
    return f"{'races with' if reason.verdict is Verdict.RACES else 'apart from'} {_listed(places)}: {reason.words}"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
