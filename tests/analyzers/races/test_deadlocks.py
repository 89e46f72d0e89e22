"""Each program shows one ability of the deadlock analysis: exactly its marked lines are named.

``// order`` stands where a thread of a cycle waits, ``// self`` where one waits for a lock that it holds, and
``// held`` where what they hold meanwhile was taken.
"""

import re
from pathlib import Path

import pytest

from assay.analyzers.findings import Finding
from assay.features.feature import Context, Document
from assay.features.pipeline import check

PROGRAMS = sorted((Path(__file__).parent / "deadlocks").glob("*.c"))
CODES = {"race/lock-order": "order", "race/self-deadlock": "self"}


def deadlocks(path: Path) -> list[Finding]:
    text = path.read_text(encoding="utf-8")
    report = check(Document(uri=path.as_uri(), language="c", text=text, path=path), Context())
    return [finding for finding in report.findings if finding.code in CODES]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)
def test_exactly_the_marked_lines_are_in_a_deadlock(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    marked = {(n, mark) for n, line in enumerate(lines, 1) for mark in re.findall(r"// (order|self|held)\b", line)}
    found = set()
    for finding in deadlocks(path):
        for held, waits in finding.data["deadlock"]:
            found |= {(held, "held"), (waits, CODES[finding.code])}
    assert found == marked


def test_a_deadlock_names_each_thread_lock_and_line() -> None:
    (finding,) = deadlocks(Path(__file__).parent / "deadlocks" / "two_locks.c")
    assert finding.message == (
        "Threads can wait for each other for ever: thread `first` holds `a` (taken on line 8) and waits for `b` on "
        "line 9; thread `second` holds `b` (taken on line 16) and waits for `a` on line 17."
    )
    assert [related.span.start.line + 1 for related in finding.related] == [8, 16, 17]
    assert "pairs" not in finding.data


def test_a_thread_that_waits_for_itself_names_both_places_and_the_call_between() -> None:
    (finding,) = deadlocks(Path(__file__).parent / "deadlocks" / "itself_through_callback.c")
    assert finding.message == (
        "`changed` waits on line 11 for `lock`, which the same thread has held since line 17: it waits for ever."
    )
    assert [related.span.start.line + 1 for related in finding.related] == [17, 18]
