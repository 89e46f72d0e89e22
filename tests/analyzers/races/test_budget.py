"""How soon an analysis notices that it must stop."""

import itertools

from assay.analyzers.budget import Budget
from assay.analyzers.c.races import find_races

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
    budget = Budget(cancelled=lambda: next(asked) < 0)
    assert find_races(program, None, lambda path: None, (), (), budget).races
    assert next(asked) > ACCESSES * (ACCESSES + 1) / 2
