"""The shape of a function's graph: the order to visit blocks in, and which blocks a loop consists of."""

from attrs import frozen

from assay.analyzers.races import ir


@frozen(eq=False)
class Graph:
    """Each block's position in reverse postorder, and the blocks of the loop at each loop head."""

    order: tuple[int, ...]
    loops: dict[int, frozenset[int]]


def graph(function: ir.Function) -> Graph:
    """Analyse the shape of a function."""
    order = _reverse_postorder(function)
    before: dict[int, list[int]] = {}
    for number, block in enumerate(function.blocks):
        for target in successors(block):
            before.setdefault(target, []).append(number)
    loops = {
        number: _natural_loop(number, [tail for tail in before.get(number, ()) if order[tail] >= order[number]], before)
        for number, block in enumerate(function.blocks)
        if block.loop_head
    }
    return Graph(tuple(order), loops)


def _reverse_postorder(function: ir.Function) -> list[int]:
    order, seen, stack = [], {0}, [(0, iter(successors(function.blocks[0])))]
    while stack:
        block, rest = stack[-1]
        following = next((target for target in rest if target not in seen), None)
        if following is None:
            order.append(block)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(successors(function.blocks[following]))))
    positions = [0] * len(function.blocks)
    for position, block in enumerate(reversed(order)):
        positions[block] = position
    return positions


def _natural_loop(head: int, tails: list[int], before: dict[int, list[int]]) -> frozenset[int]:
    """Give the blocks from which a back edge to `head` is reached without passing it."""
    found, todo = {head}, list(tails)
    while todo:
        block = todo.pop()
        if block not in found:
            found.add(block)
            todo += before.get(block, ())
    return frozenset(found)


def successors(block: ir.Block) -> list[int]:
    """Give the blocks that control can go to."""
    match block.end:
        case ir.Jump(target=target):
            return [target]
        case ir.Branch(then=then, otherwise=otherwise):
            return [then, otherwise]
        case ir.Choose(targets=targets):
            return [target for _value, target in targets]
        case _:
            return []
