"""Overlap and common locks, judged against every choice of concrete numbers for the unknown ones."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from assay.analyzers.races.aliasing import overlap, same_lock
from assay.analyzers.races.ir import Mode
from assay.analyzers.races.state import Held
from assay.analyzers.races.values import ANY, Base, Location, Symbol

DATA, LOCKS = Base("global", "data"), Base("global", "locks")
NAMES = [("load", "i"), ("load", "j")]
NUMBERS = range(3)

symbols = st.builds(Symbol, st.sampled_from(NAMES), st.integers(-1, 1))
parts = st.one_of(st.integers(0, 2), symbols, st.just("f"))
paths = st.lists(parts, min_size=1, max_size=2).map(tuple)
general_parts = st.one_of(parts, st.just(ANY))
general_paths = st.lists(general_parts, max_size=3).map(tuple)
modes = st.sampled_from(Mode)


def concrete(path, choice):
    return tuple(choice[part.key] + part.offset if isinstance(part, Symbol) else part for part in path)


def choices():
    return [dict(zip(NAMES, numbers, strict=True)) for numbers in product(NUMBERS, repeat=len(NAMES))]


def meet(left, right):
    """Tell whether one path leads to the other or to a part of it."""
    return all(mine == its for mine, its in zip(left, right, strict=False))


@given(paths, paths, paths, paths)
def test_a_common_lock_is_the_same_whenever_the_places_are(mine, its, my_lock, its_lock):
    unifier = overlap(Location(DATA, 0, mine), Location(DATA, 0, its), {}, {})
    held = Held(Location(LOCKS, 0, my_lock)), Held(Location(LOCKS, 0, its_lock))
    for left, right in product(choices(), choices()):
        if meet(concrete(mine, left), concrete(its, right)):
            assert unifier is not None
            assert not same_lock(*held, unifier) or concrete(my_lock, left) == concrete(its_lock, right)


@given(general_paths, general_paths)
def test_overlap_is_symmetric(mine, its):
    one, other = Location(DATA, 0, mine), Location(DATA, 0, its)
    assert (overlap(one, other, {}, {}) is None) == (overlap(other, one, {}, {}) is None)


@given(general_paths)
def test_a_place_overlaps_itself_and_its_parts(path):
    place = Location(DATA, 0, path)
    assert overlap(place, place, {}, {}) is not None
    assert overlap(place, place.member("f"), {}, {}) is not None


@given(st.sampled_from([Symbol(("load", "i")), Symbol(("load", "j"), 1), 1]), modes, modes, st.booleans())
def test_having_a_lock_in_common_is_symmetric(index, mode, its_mode, flag):
    place, lock = Location(DATA, 0, (index,)), Location(LOCKS, 0, (index,))
    unifier = overlap(place, place, {}, {})
    assert unifier is not None
    one, other = Held(lock, mode, flag), Held(lock, its_mode, flag)
    assert same_lock(one, other, unifier) == same_lock(other, one, unifier)


def test_readers_share_a_lock_and_writers_do_not():
    place = Location(DATA)
    unifier = overlap(place, place, {}, {})
    assert unifier is not None

    def excluded(mine: Mode, its: Mode) -> bool:
        return same_lock(Held(place, mine), Held(place, its), unifier)

    assert excluded(Mode.EXCLUSIVE, Mode.EXCLUSIVE)
    assert excluded(Mode.EXCLUSIVE, Mode.SHARED)
    assert not excluded(Mode.SHARED, Mode.SHARED)
    assert excluded(Mode.BEFORE, Mode.AFTER)
    assert not excluded(Mode.AFTER, Mode.AFTER)


def test_a_hand_made_lock_is_not_the_library_lock_at_the_same_place():
    place = Location(DATA)
    unifier = overlap(place, place, {}, {})
    assert unifier is not None
    assert not same_lock(Held(place, flag=True), Held(place), unifier)


def test_a_number_that_every_thread_has_its_own_of_never_meets_itself():
    own = Symbol(("thread", "spawn"))
    mine, next_one = Location(DATA, 0, (own,)), Location(DATA, 0, (Symbol(own.key, 1),))
    assert overlap(mine, mine, {}, {}) is None
    assert overlap(mine, next_one, {}, {}) is not None
    third = Location(DATA, 0, (3,))
    assert overlap(mine, third, {}, {}) is not None
    assert overlap(mine, third, {own.key: {3}}, {}) is None
    assert overlap(third, mine, {own.key: {3}}, {}) is None


def test_two_tickets_of_one_counter_are_different_numbers():
    first, second = Symbol(("load", "a")), Symbol(("load", "b"))
    counter, other = Location(Base("global", "next")), Location(Base("global", "other"))
    mine, its = Location(DATA, 0, (first,)), Location(DATA, 0, (second,))
    assert overlap(mine, its, {}, {}) is not None
    assert overlap(mine, its, {}, {first.key: (counter, 1), second.key: (counter, 1)}) is None
    assert overlap(mine, its, {}, {first.key: (counter, 1), second.key: (other, 1)}) is not None


def test_other_instances_of_a_site_are_other_objects():
    assert overlap(Location(DATA, 0), Location(DATA, 1), {}, {}) is None
    assert overlap(Location(DATA, 0), Location(DATA, ANY), {}, {}) is not None
