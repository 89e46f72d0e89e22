"""What guards each declared variable, in a few words: the sum of the accounts of its accesses."""

from collections import defaultdict
from collections.abc import Sequence

from attrs import frozen

from assay.analyzers.races.explain import Account, Verdict
from assay.analyzers.races.ir import Site


@frozen
class Guarding:
    """A variable that has accesses worth explaining, where it is declared, and what is known about all of them.

    `racing` counts the accesses that race.
    """

    variable: str
    declared: Site
    words: str
    racing: int


def guarding(accounts: Sequence[Account]) -> list[Guarding]:
    """Sum up the accounts of every variable that is declared in the program, in the order of declarations."""
    variables: dict[tuple[Site, str], list[Account]] = defaultdict(list)
    for account in accounts:
        if account.declared is not None:
            variables[account.declared, account.variable].append(account)
    return [
        Guarding(variable, declared, _words(some), sum(account.verdict is Verdict.RACES for account in some))
        for (declared, variable), some in sorted(variables.items(), key=lambda item: item[0])
    ]


def _words(accounts: list[Account]) -> str:
    """Say what protects a variable, by those of its accesses that other threads can be beside."""
    beside = [account for account in accounts if account.verdict is not Verdict.SOLO]
    if not beside:
        return "used only where no other thread can be"
    locks = set.intersection(*(set(account.locks) for account in beside))
    racing = [account for account in beside if account.verdict is Verdict.RACES]
    if racing:
        return _unguarded(beside, len(racing))
    if locks:
        return f"guarded by {' and '.join(sorted(locks))}"
    verdicts = {account.verdict for account in beside}
    if Verdict.UNKNOWN in verdicts:
        return "no race found, but why is not known"
    return _only(verdicts, accounts)


def _unguarded(beside: list[Account], count: int) -> str:
    """Count what races, and name the lock that most accesses hold."""
    races = "1 access races" if count == 1 else f"{count} accesses race"
    usual = usual_lock(beside)
    return f"not always guarded by {usual}: {races}" if usual else f"not guarded: {races}"


def usual_lock(accounts: Sequence[Account]) -> str | None:
    """Name the lock that more than half of the accesses hold, the most held one first."""
    count: dict[str, int] = defaultdict(int)
    for account in accounts:
        for lock in account.locks:
            count[lock] += 1
    best = max(sorted(count), key=lambda lock: count[lock], default=None)
    return best if best is not None and 2 * count[best] > len(accounts) else None


_ALL = {
    Verdict.ATOMIC: "every access is atomic",
    Verdict.ORDERED: "accesses of different threads come one after the other",
    Verdict.EXPLORED: "no interleaving has two accesses at once",
    Verdict.APART: "each thread has its own",
    Verdict.LOCKED: "every two accesses hold a common lock",
    Verdict.ALONE: "one thread uses it while others run",
}


def _only(verdicts: set[Verdict], accounts: Sequence[Account]) -> str:
    if verdicts == {Verdict.READ_ONLY}:
        wrote = any("write" in account.role or "update" in account.role for account in accounts)
        return "written only where no other thread can be, then only read" if wrote else "only read"
    strong = sorted(verdicts - {Verdict.READ_ONLY, Verdict.ALONE} or verdicts, key=list(Verdict).index)
    if len(strong) == 1:
        return _ALL.get(strong[0], "no race found")
    return "no race found, for several reasons"
