"""Shared memory answers with at least what was stored, and says when an answer is out of date."""

from hypothesis import given
from hypothesis import strategies as st
from race_strategies import locations, values

from assay.analyzers.races.memory import Memory, widened
from assay.analyzers.races.values import (
    ANY,
    UNKNOWN,
    Base,
    Location,
    Predicate,
    Symbol,
    generalise,
)

TABLE = Location(Base("global", "table"))


def stands_for(whole, atom, location) -> bool:
    """Tell whether an answer covers a stored atom: private symbols are unknown to others, an index is itself."""
    wanted = generalise(atom)
    if wanted in whole:
        return True
    number = isinstance(wanted, int | Symbol | Predicate)
    return number and (UNKNOWN in whole or not whole.isdisjoint(location.path[-1:]))


@given(st.lists(st.tuples(locations, values), min_size=1, max_size=6))
def test_what_was_stored_is_loaded(stores):
    memory = Memory()
    for location, what in stores:
        memory.store(location, what)
    for location, what in stores:
        loaded = memory.load(location)
        assert all(stands_for(loaded, atom, location) for atom in what)


@given(locations, values)
def test_a_summary_shows_what_was_stored_in_a_part(location, what):
    memory = Memory()
    memory.store(location, what)
    path = tuple(ANY if not isinstance(part, str) else part for part in location.path)
    summary = Location(location.base, ANY, path)
    assert all(stands_for(memory.load(summary), atom, location) for atom in what if atom not in location.path)


@given(locations, values, values)
def test_memory_grows_when_a_read_place_gets_something_new(location, first, second):
    memory = Memory()
    memory.store(location, first)
    assert not memory.grown
    before = memory.load(location)
    memory.store(location, second)
    assert memory.grown or memory.load(location) == before


def test_elements_at_other_indices_are_other_places():
    memory = Memory()
    memory.store(TABLE.element(1), frozenset((7,)))
    assert memory.load(TABLE.element(1)) == {7}
    assert memory.load(TABLE.element(2)) == frozenset()
    assert memory.load(TABLE.element(ANY)) == {7}
    assert memory.load(TABLE.member("f")) == frozenset()


def test_elements_that_hold_their_own_index_keep_it():
    memory = Memory()
    i, j = Symbol(("loop", 1)), Symbol(("loop", 2))
    memory.store(TABLE.element(i), frozenset((i,)))
    assert memory.load(TABLE.element(j)) == {j}
    assert memory.load(TABLE.element(3)) == {3}


def test_what_no_initialiser_covers_starts_as_zero():
    memory = Memory()
    memory.set_initial(TABLE.member("f"), frozenset((4,)))
    assert memory.initial_value(TABLE.member("f")) == {4}
    assert memory.initial_value(TABLE.member("g")) == {0}


def test_a_copy_takes_every_part_along():
    memory = Memory()
    source, target = Location(Base("global", "a")), Location(Base("global", "b"))
    memory.store(source.member("f").element(2), frozenset((5,)))
    memory.copy(target.member("inner"), source)
    assert memory.load(target.member("inner").member("f").element(2)) == {5}


def test_from_the_second_round_on_growing_numbers_are_any_number():
    memory = Memory()
    memory.store(TABLE, frozenset((1,)))
    memory.load(TABLE)
    memory.start_round()
    memory.store(TABLE, frozenset((2,)))
    assert memory.load(TABLE) == {UNKNOWN}


@given(values)
def test_widening_covers(what):
    assert all(atom in widened(what) or UNKNOWN in widened(what) for atom in what)
    assert {atom for atom in what if isinstance(atom, Location)} <= widened(what)
