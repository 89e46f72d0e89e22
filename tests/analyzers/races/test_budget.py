"""How soon an analysis notices that it must stop."""

import itertools
from types import SimpleNamespace

import pytest

from assay.analyzers import budget
from assay.analyzers.budget import Budget
from assay.analyzers.c.lowering import lower_text
from assay.analyzers.c.races import find_races
from assay.analyzers.races.analysis import analyse

ACCESSES = 60
HEAD = """
#include <pthread.h>
int n;
void *work(void *unused) {
"""
TAIL = """
    return 0;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    return 0;
}
"""


def test_each_comparison_of_two_places_asks_whether_to_stop() -> None:
    program = (
        HEAD.replace("int n;", f"int n[{ACCESSES}];") + "".join(f"    n[{i}] = 1;\n" for i in range(ACCESSES)) + TAIL
    )
    asked = itertools.count()
    counting = Budget(cancelled=lambda: next(asked) < 0)
    assert find_races(program, None, lambda path: None, (), (), counting).races
    assert next(asked) > ACCESSES * (ACCESSES + 1) / 2


def test_an_object_with_very_many_pairs_is_cut_off_and_says_so() -> None:
    program = HEAD + "    n = 1;\n" * 300 + TAIL
    found = find_races(program, None, lambda path: None, (), (), Budget())
    assert len(found.races) == 1
    assert ["20,000 racing pairs" in skipped.reason for skipped in found.skipped] == [True]


def test_what_was_found_before_the_deadline_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = "".join(f"    if (rest == {i}) rest = {i + 1};\n" for i in range(200))
    start, _, end = TAIL.rpartition("    return 0;\n")
    program = "int rest;\n" + HEAD + "    n = 1;\n" + start + slow + end
    lowered = lower_text(program, Budget())
    ticks = itertools.count()
    monkeypatch.setattr(budget, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    analysis = analyse(lowered.program, Budget(deadline=20))
    assert any("time limit" in limit for limit in analysis.limits)
    assert analysis.races
