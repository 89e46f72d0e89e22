"""Merged states know no more than each of them; forgetting a symbol leaves no trace of it."""

from hypothesis import given
from race_strategies import keys, states

from assay.analyzers.races.state import State, merge
from assay.analyzers.races.values import UNKNOWN, Base, Location, Predicate, Symbol, mentions

X = Location(Base("global", "x"))
LOOP = ("loop", 1)


def covers(whole, atom, widened=()) -> bool:
    stands_for_all = UNKNOWN in whole or any(symbol in whole for symbol in widened)
    return atom in whole or (stands_for_all and isinstance(atom, int | Symbol | Predicate))


def assert_covered(merged: State, one: State) -> None:
    assert merged.locks <= one.locks
    assert merged.running | one.running == merged.running
    assert merged.private <= one.private
    for name, what in merged.registers.items():
        assert all(covers(what, atom, [Symbol((*LOOP, name))]) for atom in one.registers[name])
    for place, what in merged.facts.items():
        assert all(covers(what, atom, [Symbol((*LOOP, place))]) for atom in one.facts[place])
    assert all(one.known[key] == known for key, known in merged.known.items())
    assert all(one.pending[key] == test for key, test in merged.pending.items())
    assert all(merged.counts[key] >= count for key, count in one.counts.items())


@given(states, states)
def test_a_merged_state_covers_both(one, other):
    merged = one.copy()
    merge(merged, other, None)
    assert_covered(merged, one)
    assert_covered(merged, other)


@given(states, states)
def test_a_widened_state_covers_both(one, other):
    merged = one.copy()
    merge(merged, other, LOOP)
    assert_covered(merged, one)
    assert_covered(merged, other)


@given(states, states)
def test_merging_again_changes_nothing(one, other):
    merged = one.copy()
    merge(merged, other, None)
    again = merged.copy()
    merge(again, other, None)
    assert (again.registers, again.facts, again.locks, again.running) == (
        merged.registers,
        merged.facts,
        merged.locks,
        merged.running,
    )


@given(states)
def test_merging_a_state_with_itself_changes_nothing(state):
    assert merge(state.copy(), state.copy(), None) is False


@given(states, states)
def test_merge_leaves_the_new_state_alone(one, other):
    before = repr(other)
    merge(one.copy(), other, None)
    assert repr(other) == before


@given(states)
def test_a_copy_is_independent(state):
    before = repr(state)
    copy = state.copy()
    copy.registers["new"] = copy.facts[X] = frozenset((99,))
    copy.known[("new",)] = copy.counts[("new",)] = 1
    copy.pending[("new",)] = (X, 1)
    copy.locks = frozenset()
    assert repr(state) == before


@given(states, keys)
def test_a_forgotten_symbol_is_nowhere(state, key):
    state.forget(key)
    assert key not in state.known
    assert key not in state.pending
    values = [*state.registers.values(), *state.facts.values()]
    assert not any(mentions(atom, key) for what in values for atom in what)
    assert not any(mentions(held.lock, key) for held in state.locks)


@given(states)
def test_only_facts_of_one_thread_survive_the_others(state):
    private = state.private
    mine = frozenset((Base("global", "y"),))
    state.drop_shared_facts(mine)
    assert {place.base for place in state.facts} <= private | mine


def test_the_number_of_a_place_is_found_through_what_is_known_of_its_symbol():
    symbol = Symbol(("load", 1), 2)
    state = State(facts={X: frozenset((symbol,))})
    assert state.number(X) is None
    state.known[symbol.key] = 5
    assert state.number(X) == 7
    assert State(facts={X: frozenset((3,))}).number(X) == 3
