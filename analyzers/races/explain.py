"""Explain every access of shared memory: with what it races, or what keeps the others away from it.

The analysis reports races only; whoever doubts a silence wants to know what was proved about an access.  Each account
comes from the very comparison that looks for races (`Detector`), so the two cannot contradict each other.  Nothing here
says that a program is free of races: an access whose reason is not known is told as that.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum

from attrs import define, field, frozen

from assay.analyzers.budget import Budget
from assay.analyzers.errors import DeadlineError
from assay.analyzers.races import reasons, words
from assay.analyzers.races.analysis import Analysis
from assay.analyzers.races.detect import Apart, Detector, Protection, Racing
from assay.analyzers.races.engine import Access, Solo, Why
from assay.analyzers.races.ir import Mode, Site
from assay.analyzers.races.report import VariableKey, variable_key
from assay.analyzers.races.state import Locks
from assay.analyzers.races.values import Base

MAX_GROUPS = 48  # of one object; pairs grow with the square
MAX_TOLD = 6  # accesses that one account names


class Verdict(StrEnum):
    """What an account comes to, the most interesting first."""

    RACES = "races"
    UNKNOWN = "unknown"
    LOCKED = "locked"
    ATOMIC = "atomic"
    ORDERED = "ordered"
    EXPLORED = "explored"
    APART = "apart"
    ALONE = "alone"
    READ_ONLY = "read only"
    SOLO = "solo"


@frozen
class Reason:
    """Why an access does, or does not, race with `others`, which are sites with their own words."""

    verdict: Verdict
    words: str
    others: tuple[Site, ...] = ()


@frozen
class Account:
    """One access of a variable and what is known about it.

    `locks` are the locks certainly held, in words; `threads` name what may be running it; `declared` is where the
    variable is declared, if it has a name of its own.
    """

    variable: str
    site: Site
    role: str
    function: str
    locks: tuple[str, ...]
    threads: tuple[str, ...]
    verdict: Verdict
    reasons: tuple[Reason, ...]
    declared: Site | None = None


@define
class _Draft:
    """An access while its reasons are collected; reads and writes at one site of one variable are one access."""

    accesses: list[Access | Solo] = field(factory=list)
    walks: set[int] = field(factory=set)
    found: dict[tuple[Verdict, str], dict[Site, None]] = field(factory=dict)
    racing: list[Racing] = field(factory=list)

    def note(self, verdict: Verdict, text: str, site: Site | None = None) -> None:
        others = self.found.setdefault((verdict, text), {})
        if site is not None:
            others[site] = None


Drafts = dict[tuple[VariableKey, Site], _Draft]
Group = tuple[Protection, list[Access]]


def explain(analysis: Analysis, source: words.Source, budget: Budget) -> list[Account]:
    """Account for every access of shared memory, in the order of their sites.

    When the deadline of `budget` passes, the accesses that were not compared are told as unknown.
    """
    if not analysis.engine.threads.all:
        return []
    detector = Detector(analysis.engine, budget)
    drafts: Drafts = defaultdict(_Draft)
    _collect(analysis, drafts)
    listed = _races(analysis, drafts)
    written = detector.objects()
    try:
        for objects in written.values():
            _compare(Comparison(analysis, detector, source, drafts, listed), list(objects.items()))
    except DeadlineError:
        for draft in drafts.values():
            if not draft.found and not draft.racing:
                draft.note(Verdict.UNKNOWN, reasons.LATE)
    _alone(analysis, source, drafts)
    names = _names(drafts, source)
    accounts = [
        _account(analysis, detector, site, draft, names[key], source, written) for (key, site), draft in drafts.items()
    ]
    return sorted(accounts, key=lambda account: (account.site, account.variable))


def _collect(analysis: Analysis, drafts: Drafts) -> None:
    for walk in analysis.engine.walks:
        for access in walk.accesses:
            draft = drafts[variable_key(access.location), access.site]
            draft.accesses.append(access)
            draft.walks.add(walk.number)


def _races(analysis: Analysis, drafts: Drafts) -> set[frozenset[Site]]:
    """Note what races and what was shown never to; give all these pairs of sites."""
    for racing in analysis.races:
        for access in racing[:2]:
            drafts[variable_key(access.location), access.site].racing.append(racing)
    for racing in analysis.impossible:
        for access, other in ((racing.one, racing.other), (racing.other, racing.one)):
            drafts[variable_key(access.location), access.site].note(Verdict.EXPLORED, reasons.EXPLORED, other.site)
    return {frozenset((one.site, other.site)) for one, other, *_ in (*analysis.races, *analysis.impossible)}


@frozen
class Comparison:
    """What comparing the accesses of an object needs; `listed` are the pairs of sites already accounted for."""

    analysis: Analysis
    detector: Detector
    source: words.Source
    drafts: Drafts
    listed: set[frozenset[Site]]

    def reason(self, mine: Group, its: Group) -> tuple[Verdict, str] | None:
        """Say what keeps two groups of accesses apart; None if nothing but their being atomic might.

        The words are empty where one thread makes all of them.
        """
        (walk, _, _, running), (other_walk, _, _, other_running) = mine[0], its[0]
        one, other = mine[1][0], its[1][0]
        if self.detector.threads(walk, running, other_walk, other_running) is None:
            return Verdict.ORDERED, reasons.threads(self.analysis, (walk, one), (other_walk, other), self.source)
        order = self.detector.order(walk, one, other_walk, other)
        if order is None:
            return None
        if order.held is not None:
            ordering = order.held.mode in (Mode.BEFORE, Mode.AFTER, Mode.PHASE)
            return Verdict.ORDERED if ordering else Verdict.LOCKED, reasons.lock(order.held, self.source)
        return Verdict.APART, reasons.OWN if order.apart is Apart.OWN else reasons.ELSEWHERE

    def note(self, one: Access, other: Access, found: tuple[Verdict, str] | None) -> None:
        """Add to the account of `one` why it does not race with `other`."""
        if found is None:
            if frozenset((one.site, other.site)) in self.listed:
                return
            both = one.atomic and other.atomic
            found = (Verdict.ATOMIC, reasons.ATOMIC) if both else (Verdict.UNKNOWN, reasons.UNEXPLAINED)
        self.drafts[variable_key(one.location), one.site].note(*found, other.site)


def _compare(comparison: Comparison, groups: Sequence[Group]) -> None:
    """Note for each access of one object what keeps the conflicting ones apart from it."""
    for _protection, some in groups[MAX_GROUPS:]:
        for access in some:
            draft = comparison.drafts[variable_key(access.location), access.site]
            if not draft.racing:
                draft.note(Verdict.UNKNOWN, reasons.UNCOMPARED)
    for index, mine in enumerate(groups[:MAX_GROUPS]):
        for its in groups[index:MAX_GROUPS]:
            comparison.detector.budget.check()
            if not any(access.write for access in (*mine[1], *its[1])):
                continue
            found = comparison.reason(mine, its)
            if found is not None and not found[1]:
                continue
            for one, other in (*_conflicts(mine[1], its[1]), *_conflicts(its[1], mine[1])):
                comparison.note(one, other, found)


def _conflicts(some: list[Access], others: list[Access]) -> Iterator[tuple[Access, Access]]:
    """Give with each access a bounded number of those that conflict with it."""
    writes = [other for other in others if other.write][:MAX_TOLD]
    for one in some:
        for other in others[:MAX_TOLD] if one.write else writes:
            yield one, other


def _alone(analysis: Analysis, source: words.Source, drafts: Drafts) -> None:
    """Add the accesses that no other thread can be beside, of globals and of what is shared later."""
    shared = {key for key, _site in drafts}
    for solo in analysis.engine.solo.values():
        key = variable_key(solo.location)
        if key not in shared and solo.location.base.kind != "global":
            continue
        draft = drafts[key, solo.site]
        if draft.accesses and isinstance(draft.accesses[0], Access):
            continue
        draft.accesses.append(solo)
        verdict = Verdict.APART if solo.why is Why.OWN else Verdict.SOLO
        draft.note(verdict, reasons.solo(solo, analysis, source))


def _names(drafts: Drafts, source: words.Source) -> dict[VariableKey, str]:
    """Name every variable once, by the access that says it best."""
    accesses: dict[VariableKey, list[Access | Solo]] = defaultdict(list)
    for key, site in sorted(drafts):
        accesses[key] += drafts[key, site].accesses
    return {key: words.variable(some, source) for key, some in accesses.items()}


def _account(
    analysis: Analysis,
    detector: Detector,
    site: Site,
    draft: _Draft,
    name: str,
    source: words.Source,
    written: Collection[Base],
) -> Account:
    told = _told(analysis, draft, site, source) or (_nothing_else(draft, written),)
    first = draft.accesses[0]
    return Account(
        name,
        site,
        _role(draft.accesses),
        first.function,
        _held(draft.accesses, source),
        reasons.runners(analysis, sorted({n for walk in draft.walks for n in detector.threads_of[walk]}), source),
        told[0].verdict,
        told,
        analysis.engine.program.declared.get(first.location.base.name) if _is_named(first.location.base) else None,
    )


def _is_named(base: Base) -> bool:
    return base.kind in ("global", "local")


def _told(analysis: Analysis, draft: _Draft, site: Site, source: words.Source) -> tuple[Reason, ...]:
    """Put the reasons in order, those that matter most first."""
    told = list(_racing(analysis, draft, site, source))
    racing = {other for reason in told for other in reason.others}
    rank = list(Verdict)
    for (verdict, text), others in sorted(draft.found.items(), key=lambda item: (rank.index(item[0][0]), item[0][1])):
        left = tuple(other for other in sorted(others) if other not in racing)
        if left or not others:
            told.append(Reason(verdict, text, left[:MAX_TOLD]))
    return tuple(told)


def _racing(analysis: Analysis, draft: _Draft, site: Site, source: words.Source) -> Iterator[Reason]:
    texts: dict[str, dict[Site, None]] = defaultdict(dict)
    for racing in draft.racing[: MAX_TOLD * 8]:
        other = racing.other if racing.one.site == site else racing.one
        texts[words.overlap(analysis.engine.threads, racing, source)][other.site] = None
    for text, others in texts.items():
        yield Reason(Verdict.RACES, text, tuple(sorted(others))[:MAX_TOLD])


def _nothing_else(draft: _Draft, written: Collection[Base]) -> Reason:
    """Say why an access met no other that conflicts with it."""
    if any(access.write or access.location.base in written for access in draft.accesses):
        return Reason(Verdict.ALONE, reasons.ALONE)
    return Reason(Verdict.READ_ONLY, reasons.READ_ONLY)


def _role(accesses: Sequence[Access | Solo]) -> str:
    kinds = {access.write for access in accesses}
    role = "update" if len(kinds) == 2 else "write" if kinds == {True} else "read"
    return f"atomic {role}" if all(access.atomic for access in accesses) else role


def _held(accesses: Sequence[Access | Solo], source: words.Source) -> tuple[str, ...]:
    """Name the locks that are held whenever the access is made."""
    held: Locks | None = None
    for access in accesses:
        if isinstance(access, Access):
            held = access.locks if held is None else held & access.locks
    return tuple(sorted(words.lock(one, source) for one in held or () if one.excludes))
