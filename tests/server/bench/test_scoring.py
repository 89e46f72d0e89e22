"""Counts and figures, on predictions whose scores were worked out by hand."""

import pytest

from assay.server.bench.corpus import Case, Label, Suite
from assay.server.bench.scoring import (
    Counts,
    Prediction,
    line_counts,
    pair_counts,
    safe_lines_named,
    score,
    verdict_counts,
)


def label(a: list[int], b: list[int]) -> Label:
    return Label(frozenset(a), frozenset(b))


def case(key: str, racy: bool = False, labels: tuple[Label, ...] = (), **fields) -> Case:
    return Case(fields.pop("suite", Suite.PROGRAMS), key, f"{key}.c", "made", racy, labels, **fields)


def predict(*pairs: tuple[int, int]) -> Prediction:
    return Prediction(frozenset(pairs))


def test_a_pair_matches_in_either_order_and_any_line_of_a_list():
    several = label([4, 5], [9])
    assert several.accepts((4, 9))
    assert several.accepts((9, 5))
    assert not several.accepts((4, 5))
    assert not several.accepts((9, 9))


@pytest.mark.parametrize(
    ("labels", "pairs", "expected"),
    [
        ((), (), Counts(0, 0, 0)),
        ((label([1], [2]),), ((1, 2),), Counts(1, 0, 0)),
        ((label([2], [1]),), ((1, 2), (1, 3)), Counts(1, 1, 0)),
        ((label([1], [2]), label([3], [4])), ((1, 2),), Counts(1, 0, 1)),
        ((label([1, 2], [5]),), ((1, 5), (2, 5)), Counts(1, 0, 0)),  # both pairs are the one race
        ((label([1], [5]), label([1], [5])), ((1, 5),), Counts(2, 0, 0)),  # one pair is the race of two variables
        ((label([1], [2]),), (), Counts(0, 0, 1)),
    ],
)
def test_pairs(labels, pairs, expected):
    assert pair_counts(case("a", bool(labels), labels), predict(*pairs)) == expected


def test_ignored_pairs_are_neither_right_nor_wrong():
    one = case("a", True, (label([1], [2]),), ignored=frozenset({(3, 4)}))
    assert pair_counts(one, predict((1, 2), (3, 4))) == Counts(1, 0, 0)


@pytest.mark.parametrize(
    ("racy", "pairs", "expected"),
    [
        (True, ((1, 2),), Counts(1, 0, 0, 0)),
        (False, ((1, 2),), Counts(0, 1, 0, 0)),
        (True, (), Counts(0, 0, 1, 0)),
        (False, (), Counts(0, 0, 0, 1)),
    ],
)
def test_verdicts(racy, pairs, expected):
    assert verdict_counts(case("a", racy), predict(*pairs)) == expected


def test_annotated_lines():
    one = case("a", suite=Suite.GOBLINT, verdicts=((1, True), (2, True), (3, False), (4, False)))
    assert line_counts(one, predict((1, 3), (3, 9))) == Counts(1, 1, 1, 1)


def test_figures_add_up_counts_and_keep_racy_programs_apart():
    cases = [
        case("a", True, (label([1], [2]), label([3], [4]))),
        case("b"),
        case("c"),
        case("d", True, (label([5], [5]),)),
    ]
    predictions = {"a": predict((1, 2), (1, 9)), "b": predict((7, 8)), "d": predict()}
    figures = score(cases, predictions)
    assert set(figures) == {"pairs_racy_only", "pairs_all", "program"}
    assert figures["pairs_racy_only"].counts == Counts(1, 1, 2)
    assert figures["pairs_racy_only"].values == {"precision": 50.0, "recall": 33.33, "f1": 40.0}
    assert figures["pairs_all"].counts == Counts(1, 2, 2)
    assert figures["program"].counts == Counts(1, 1, 1, 1)
    assert figures["program"].values["accuracy"] == 50.0
    assert figures["program"].values["safe_files_warned"] == 50.0


def test_a_case_without_prediction_counts_as_one_without_warning():
    cases = [case("a", True, (label([1], [2]),))]
    assert score(cases, {}) == score(cases, {"a": predict()})


def test_realistic_programs_are_kept_apart_by_language():
    c = Case(Suite.REAL, "real/a", "a.c", "c", True, (label([1], [1]),), safe_lines=frozenset({7, 8}))
    python = Case(Suite.REAL, "real/b", "b.py", "python", False)
    predictions = {"real/a": predict((1, 1), (7, 9))}
    figures = score([c, python], predictions)
    assert figures["real:c:pairs"].counts == Counts(1, 1, 0)
    assert figures["real:python:program"].counts == Counts(0, 0, 0, 1)
    assert safe_lines_named([c, python], predictions) == 1


def test_intervals_hold_the_figure_and_are_reproducible():
    cases = [case(str(number), True, (label([1], [2]),)) for number in range(40)]
    predictions = {str(number): predict((1, 2)) for number in range(0, 40, 2)}
    first, second = score(cases, predictions), score(cases, predictions)
    low, high = first["pairs_all"].intervals["recall"]
    assert first == second
    assert low < first["pairs_all"].values["recall"] == 50.0 < high
    assert 25 < low < 42 < 58 < high < 75  # a binomial proportion of 1/2 over 40 programs


def test_intervals_are_by_case_not_by_label():
    many = tuple(label([line], [line]) for line in range(1, 101))
    cases = [case("a", True, many), case("b", True, (label([1], [1]),))]
    predictions = {"a": predict(*((line, line) for line in range(1, 101)))}
    assert score(cases, predictions)["pairs_all"].intervals["recall"] == (0.0, 100.0)
