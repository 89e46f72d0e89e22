"""Values are a join semilattice that gives up on numbers, and symbols age when they get a new meaning."""

from hypothesis import given
from race_strategies import KEYS, atoms, keys, locations, values

from assay.analyzers.races.values import (
    ANY,
    TOP,
    UNKNOWN,
    Location,
    Predicate,
    Symbol,
    age,
    general_path,
    generalise,
    join,
    mentions,
    ordered,
    single,
    value,
)


def covers(whole, atom) -> bool:
    """Tell whether a value stands for an atom: an unknown number stands for every number."""
    return atom in whole or (UNKNOWN in whole and isinstance(atom, int | Symbol | Predicate))


@given(values)
def test_join_is_idempotent(one):
    assert join(one, one) == one
    assert value(one) == one


@given(values, values)
def test_join_is_commutative(one, other):
    assert join(one, other) == join(other, one)


@given(values, values)
def test_join_covers_both(one, other):
    joined = join(one, other)
    assert all(covers(joined, atom) for atom in one | other)


@given(values, values)
def test_joining_again_changes_nothing(one, other):
    joined = join(one, other)
    assert join(joined, other) == joined
    assert join(joined, one) == joined


def test_many_numbers_are_any_number():
    assert value(range(5)) == frozenset(range(5))
    assert value(range(6)) == TOP


@given(atoms)
def test_what_memory_keeps_is_general_already(atom):
    assert generalise(generalise(atom)) == generalise(atom)


@given(locations)
def test_memory_keeps_no_index_that_only_one_thread_knows(location):
    instance, path = general_path(location)
    assert not {part for part in (instance, *path) if isinstance(part, Symbol)} - {ANY}
    assert [part for part in path if isinstance(part, str)] == [part for part in location.path if isinstance(part, str)]


@given(atoms, keys)
def test_an_aged_atom_does_not_mention_the_symbol(atom, key):
    if mentions(atom, key):
        assert not mentions(age(atom, key), key)


@given(locations, keys)
def test_ageing_leaves_other_symbols_alone(location, key):
    aged = age(location, key)
    assert isinstance(aged, Location)
    assert all(mentions(aged, other) for other in KEYS if other != key and mentions(location, other))


@given(values)
def test_the_order_of_atoms_is_fixed(one):
    assert sorted(map(repr, one)) == [repr(atom) for atom in ordered(one)]


def test_only_a_lone_atom_is_single():
    assert single(frozenset((3,))) == 3
    assert single(frozenset((3, 4))) is None
    assert single(frozenset()) is None
