"""The order in which blocks are visited, the blocks of loops, and registers that live in one block."""

from hypothesis import given
from hypothesis import strategies as st

from assay.analyzers.races import ir
from assay.analyzers.races.graph import graph, successors

SITE = ir.Site(0, 0, 0, 0)
ONE = ir.Constant(1)


def function(ends, heads=()) -> ir.Function:
    blocks = tuple(ir.Block([], end, number in heads) for number, end in enumerate(ends))
    return ir.Function("f", (), blocks, SITE)


def ends(size):
    target = st.integers(0, size - 1)
    return st.one_of(
        st.builds(ir.Jump, target),
        st.builds(ir.Branch, st.just(ONE), target, target),
        st.just(ir.Return()),
        st.builds(lambda one, other: ir.Choose(ONE, ((1, one), (None, other))), target, target),
    )


functions = st.integers(1, 8).flatmap(
    lambda size: st.builds(
        function, st.lists(ends(size), min_size=size, max_size=size), st.frozensets(st.integers(0, size - 1))
    )
)


def reachable(made: ir.Function) -> set[int]:
    found, todo = {0}, [0]
    while todo:
        new = set(successors(made.blocks[todo.pop()])) - found
        found |= new
        todo += new
    return found


@given(functions)
def test_reachable_blocks_have_positions_of_their_own_and_the_entry_is_first(made):
    order = graph(made).order
    positions = [order[block] for block in reachable(made)]
    assert sorted(positions) == list(range(len(positions)))
    assert order[0] == 0


@given(st.integers(2, 8), st.data())
def test_without_loops_every_block_comes_before_its_successors(size, data):
    made = []
    for number in range(size):
        later = st.integers(number + 1, size - 1)
        last = number == size - 1
        made.append(ir.Return() if last else ir.Branch(ONE, data.draw(later), data.draw(later)))
    order = graph(function(made)).order
    for block in reachable(function(made)):
        assert all(order[block] < order[target] for target in successors(function(made).blocks[block]))


def test_a_loop_consists_of_what_leads_back_to_its_head():
    made = function([ir.Jump(1), ir.Branch(ONE, 2, 4), ir.Branch(ONE, 3, 1), ir.Jump(1), ir.Return()], heads={1})
    assert graph(made).loops == {1: {1, 2, 3}}


def test_a_nested_loop_is_a_part_of_the_outer_one():
    made = function(
        [ir.Jump(1), ir.Branch(ONE, 2, 4), ir.Branch(ONE, 3, 1), ir.Jump(2), ir.Return()],
        heads={1, 2},
    )
    loops = graph(made).loops
    assert loops == {1: {1, 2, 3}, 2: {2, 3}}


def test_a_register_that_one_block_alone_uses_passes_with_it():
    first = ir.Block([ir.Set("a", ONE), ir.Set("b", ir.Register("a")), ir.Set("p", ONE)], ir.Jump(1))
    second = ir.Block([], ir.Return(ir.Register("b")))
    made = ir.Function("f", (ir.Parameter("p", False),), (first, second), SITE)
    assert graph(made).passing == ({"a"}, frozenset())
