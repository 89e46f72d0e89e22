"""How predictions are scored against labels: counts for each case, and the figures over many cases.

A figure is computed from the sum of its cases' counts (micro-average).  Its interval is the percentile bootstrap
(Efron, 1979) over cases, since the lines of one program are not independent of each other.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from attrs import frozen

from assay.server.bench.corpus import Case, Pair, Suite

_RESAMPLES = 1000
_SEED = 20260101


class Counts(NamedTuple):
    """True and false positives and negatives (a named tuple: they are summed by the million)."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0


@frozen
class Prediction:
    """What was said about one case: racing line pairs, each as (smaller, larger), and the lines of deadlocks."""

    pairs: frozenset[Pair] = frozenset()
    deadlock_lines: frozenset[int] = frozenset()

    @property
    def lines(self) -> frozenset[int]:
        """Give every line that is in a pair."""
        return frozenset(line for pair in self.pairs for line in pair)


@frozen
class Figure:
    """Percentages over `cases` cases with their 95% intervals, and the counts that they come from."""

    cases: int
    counts: Counts
    values: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]


def pair_counts(case: Case, prediction: Prediction) -> Counts:
    """Count found labels, missed labels, and predicted pairs that are no label."""
    pairs = prediction.pairs
    found = sum(any(label.accepts(pair) for pair in pairs) for label in case.labels)
    wrong = sum(not any(label.accepts(pair) for label in case.labels) for pair in pairs - case.ignored)
    return Counts(found, wrong, len(case.labels) - found)


def verdict_counts(case: Case, prediction: Prediction) -> Counts:
    """Count the program once: a race was reported or not, and there is one or not."""
    warned = bool(prediction.pairs)
    return Counts(warned and case.racy, warned and not case.racy, not warned and case.racy, not (warned or case.racy))


def deadlock_counts(case: Case, prediction: Prediction) -> Counts:
    """Count the program once: a deadlock was reported or not, and there is one or not."""
    warned, deadlock = bool(prediction.deadlock_lines), case.deadlock
    return Counts(warned and deadlock, warned and not deadlock, not warned and deadlock, not (warned or deadlock))


def deadlock_line_counts(case: Case, prediction: Prediction) -> Counts:
    """Count the lines on which a deadlock is marked; a report names further lines, which count neither way."""
    found = len(case.deadlock_lines & prediction.deadlock_lines)
    return Counts(tp=found, fn=len(case.deadlock_lines) - found)


def line_counts(case: Case, prediction: Prediction) -> Counts:
    """Count the annotated lines of a file."""
    verdicts = [(racy, line in prediction.lines) for line, racy in case.verdicts]
    count = verdicts.count
    return Counts(count((True, True)), count((False, True)), count((True, False)), count((False, False)))


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0


_Statistic = Callable[[Counts], float]
_RATES: dict[str, _Statistic] = {
    "precision": lambda c: _percent(c.tp, c.tp + c.fp),
    "recall": lambda c: _percent(c.tp, c.tp + c.fn),
    "f1": lambda c: _percent(2 * c.tp, 2 * c.tp + c.fp + c.fn),
}
_VERDICT_RATES: dict[str, _Statistic] = {
    **_RATES,
    "accuracy": lambda c: _percent(c.tp + c.tn, sum(c)),
    "safe_files_warned": lambda c: _percent(c.fp, c.fp + c.tn),
}


def score(cases: Sequence[Case], predictions: Mapping[str, Prediction]) -> dict[str, Figure]:
    """Compute every figure for which there are cases; a case without a prediction counts as one without a warning.

    `real:LANGUAGE:...` figures are kept apart by language.
    """
    programs = [case for case in cases if case.suite is Suite.PROGRAMS]
    plan: list[tuple[str, Iterable[Case], _Counter, dict[str, _Statistic]]] = [
        ("pairs_racy_only", [case for case in programs if case.racy], pair_counts, _RATES),
        ("pairs_all", programs, pair_counts, _RATES),
        ("program", programs, verdict_counts, _VERDICT_RATES),
        ("goblint_lines", [case for case in cases if case.suite is Suite.GOBLINT], line_counts, _RATES),
        ("python_lines", [case for case in cases if case.suite is Suite.PYTHON], line_counts, _RATES),
    ]
    judged = [case for case in cases if case.suite in (Suite.REAL, Suite.PYTHON)]
    if any(case.deadlock for case in judged):
        stuck = [case for case in judged if case.deadlock_lines]
        plan.append(("deadlocks", judged, deadlock_counts, _VERDICT_RATES))
        plan.append(("deadlock_lines", stuck, deadlock_line_counts, _RATES))
    real = [case for case in cases if case.suite is Suite.REAL]
    for language in sorted({case.group for case in real}):
        chosen = [case for case in real if case.group == language]
        plan.append((f"real:{language}:pairs", chosen, pair_counts, _RATES))
        plan.append((f"real:{language}:program", chosen, verdict_counts, _VERDICT_RATES))
    scored = {name: _figure(chosen, predictions, counter, rates) for name, chosen, counter, rates in plan}
    return {name: figure for name, figure in scored.items() if figure.cases}


def safe_lines_named(cases: Iterable[Case], predictions: Mapping[str, Prediction]) -> int:
    """Count lines that look dangerous, are safe, and were nevertheless put into a pair."""
    return sum(len(predictions.get(case.key, Prediction()).lines & case.safe_lines) for case in cases)


_Counter = Callable[[Case, Prediction], Counts]


def _figure(
    cases: Iterable[Case], predictions: Mapping[str, Prediction], counter: _Counter, rates: Mapping[str, _Statistic]
) -> Figure:
    counted = [counter(case, predictions.get(case.key, Prediction())) for case in cases]
    total = _sum(counted)
    values = {name: round(rate(total), 2) for name, rate in rates.items()}
    return Figure(len(counted), total, values, _intervals(counted, rates))


def _sum(counts: Sequence[Counts]) -> Counts:
    return Counts(*map(sum, zip(*counts, strict=True))) if counts else Counts()


def _intervals(counts: Sequence[Counts], rates: Mapping[str, _Statistic]) -> dict[str, tuple[float, float]]:
    """Resample the cases with replacement, and take the middle 95% of each rate."""
    if not counts:
        return {}
    generator = random.Random(_SEED)
    totals = [_sum(generator.choices(counts, k=len(counts))) for _ in range(_RESAMPLES)]
    return {name: _middle(sorted(map(rate, totals))) for name, rate in rates.items()}


def _middle(values: Sequence[float]) -> tuple[float, float]:
    tail = len(values) // 40
    return round(values[tail], 2), round(values[-1 - tail], 2)
