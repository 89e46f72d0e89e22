"""Every shared access has an account, which says what the race analysis itself found, and why.

In `accounts/`, ``// name: verdict: words`` stands on a line with such an account, and ``// lens: words`` on the line of
a declaration with such a headline; there are no others.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.analyzers.budget import Budget
from assay.analyzers.c.races import find_races
from assay.analyzers.races.explain import Account, Verdict
from assay.analyzers.races.guarding import guarding
from assay.analyzers.races.outcome import Races
from assay.features.races.facts import details

HERE = Path(__file__).parent
ACCOUNTS = sorted((HERE / "accounts").iterdir())
PROGRAMS = sorted((HERE / "programs").glob("*.c"))
MARK = re.compile(r"// (\w+): ([a-z ]+): (.+)")
LENS = re.compile(r"// lens: (.+)")


def found(path: Path) -> Races:
    return find_races(path.read_text(encoding="utf-8"), path, lambda _: None, (), (), Budget())


def marked(path: Path, mark: re.Pattern[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        if match := mark.search(line):
            yield number, match.groups()


def named(path: Path) -> dict[str, Account]:
    return {f"{account.variable} {account.site.line}": account for account in found(path).accounts}


@pytest.mark.parametrize("path", ACCOUNTS, ids=lambda path: path.name)
def test_accounts_say_what_came_out_and_why(path: Path) -> None:
    races = found(path)
    accounts = {(account.site.line, account.variable): account for account in races.accounts}
    marks = {(line, name): (verdict, words) for line, (name, verdict, words) in marked(path, MARK) if name != "lens"}
    assert accounts.keys() == marks.keys()
    for key, (verdict, words) in marks.items():
        assert accounts[key].verdict == verdict, key
        assert words in details(accounts[key], races)


@pytest.mark.parametrize("path", ACCOUNTS, ids=lambda path: path.name)
def test_declarations_say_what_guards_the_variable(path: Path) -> None:
    headlines = [(one.declared.line, (one.words.replace("`", ""),)) for one in guarding(found(path).accounts)]
    assert headlines == list(marked(path, LENS))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)
def test_accounts_and_races_never_contradict_each_other(path: Path) -> None:
    races = found(path)
    racing = {site for race in races.races for pair in race.pairs for site in pair}
    told = {account.site for account in races.accounts if account.verdict is Verdict.RACES}
    assert told == racing
    assert all(account.reasons for account in races.accounts)


def test_what_interleavings_exclude_is_told_as_that() -> None:
    accounts = named(HERE / "programs" / "protocol_peterson.c")
    [account] = [one for one in accounts.values() if one.variable == "inside" and one.function == "one"]
    assert account.verdict is Verdict.EXPLORED


def test_a_barrier_is_named_as_what_keeps_accesses_apart() -> None:
    reasons = [
        reason.words for account in found(HERE / "programs" / "barriers.c").accounts for reason in account.reasons
    ]
    assert any("barrier" in words for words in reasons)


def test_a_program_without_threads_has_no_accounts() -> None:
    text = "static int alone; int main(void) { alone = 1; return alone; }\n"
    assert find_races(text, None, lambda _: None, (), (), Budget()).accounts == ()
