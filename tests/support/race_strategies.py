"""Hypothesis strategies for the abstract values of the race analysis."""

from hypothesis import strategies as st

from assay.analyzers.races.ir import Mode
from assay.analyzers.races.state import Held, State
from assay.analyzers.races.values import (
    UNKNOWN,
    Base,
    FunctionValue,
    Location,
    Predicate,
    Symbol,
    ThreadValue,
    value,
)

KEYS = [("load", 1), ("load", 2), ("call", 3), ("parameter", 4)]
PLACES = [Base("global", "x"), Base("global", "y"), Base("heap", "3:4:0", 7)]

small = st.integers(-3, 3)
keys = st.sampled_from(KEYS)
symbols = st.builds(Symbol, keys, small)
bases = st.sampled_from(PLACES)
parts = st.one_of(st.integers(0, 3), st.sampled_from(["f", "g"]), symbols)
locations = st.builds(Location, bases, st.one_of(st.just(0), symbols), st.lists(parts, max_size=3).map(tuple))
atoms = st.one_of(
    small,
    symbols,
    st.just(UNKNOWN),
    locations,
    st.sampled_from([FunctionValue("f"), FunctionValue("g"), ThreadValue(1)]),
    st.builds(Predicate, st.builds(Symbol, keys), st.sampled_from(["==", "<"]), small),
)
values = st.frozensets(atoms, min_size=1, max_size=6).map(value)
held = st.builds(Held, locations, st.sampled_from(Mode), st.booleans())
states = st.builds(
    State,
    registers=st.dictionaries(st.sampled_from("abc"), values),
    facts=st.dictionaries(locations, values, max_size=4),
    locks=st.frozensets(held, max_size=3),
    running=st.integers(0, 15),
    known=st.dictionaries(keys, st.one_of(small, st.frozensets(small, min_size=1))),
    counts=st.dictionaries(keys, st.integers(1, 4)),
    private=st.frozensets(bases),
    pending=st.dictionaries(keys, st.tuples(locations, small), max_size=2),
)
