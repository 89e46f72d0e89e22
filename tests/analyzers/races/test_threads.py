"""Which threads may run in parallel, from who created whom and who was still running."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from assay.analyzers.races.threads import MAIN, Threads


def family(parents, many=(), born=()) -> Threads:
    threads = Threads()
    threads.add(("main",), MAIN, "main", None, "")
    for number, parent in enumerate(parents, 1):
        thread = threads.add((number,), min(parent, number - 1), "f", None, "")
        thread.many = number in many
        thread.born = born[number - 1] if number <= len(born) else 0
    return threads


families = st.integers(1, 5).flatmap(
    lambda size: st.builds(
        family,
        st.lists(st.integers(0, size), min_size=size, max_size=size),
        st.frozensets(st.integers(1, size)),
        st.lists(st.integers(0, (1 << (size + 1)) - 1), min_size=size, max_size=size),
    )
)


@given(families, st.data())
def test_being_parallel_is_symmetric(threads, data):
    number, running = st.integers(0, len(threads.all) - 1), st.integers(0, (1 << len(threads.all)) - 1)
    one, other = data.draw(number), data.draw(number)
    mine, its = data.draw(running), data.draw(running)
    if one == other:
        its = mine
    assert threads.parallel(one, mine, other, its) == threads.parallel(other, its, one, mine)


@given(families, st.integers(0, 63))
def test_a_running_set_lists_its_threads(threads, running):
    running &= (1 << len(threads.all)) - 1
    assert sum(thread.bit for thread in threads.among(running)) == running


@given(families)
def test_every_thread_descends_from_main(threads):
    for thread in threads.all:
        chain = threads.ancestors(thread.number)
        assert (chain[0], chain[-1]) == (thread.number, MAIN)
        assert all(threads.all[child].parent == parent for child, parent in pairwise(chain))


def test_a_parent_runs_beside_the_children_that_it_has_not_joined():
    threads = family([0, 0])
    assert threads.parallel(0, 0b010, 1, 0)
    assert not threads.parallel(0, 0b100, 1, 0)


def test_a_grandparent_runs_beside_the_children_of_a_running_child():
    threads = family([0, 1])
    assert threads.parallel(0, 0b010, 2, 0)
    assert threads.parallel(0, 0b100, 2, 0)
    assert not threads.parallel(0, 0, 2, 0)


def test_siblings_run_together_if_one_ran_when_the_other_was_born():
    assert family([0, 0], born=[0, 0b010]).parallel(1, 0, 2, 0)
    assert not family([0, 0], born=[0, 0]).parallel(1, 0, 2, 0)


def test_a_thread_runs_beside_itself_only_if_there_are_many():
    assert family([0], many={1}).parallel(1, 0, 1, 0)
    assert not family([0]).parallel(1, 0, 1, 0)


def test_joining_a_thread_leaves_what_it_left_behind():
    threads = family([0, 1])
    threads.all[1].leaked = 0b100
    assert threads.after_join(0b010, threads.all[1]) == 0b100
