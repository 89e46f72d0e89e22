"""The shape of a function's graph: the order to visit blocks in, and which blocks a loop consists of."""

from attrs import frozen

from assay.analyzers.races import ir


@frozen(eq=False)
class Graph:
    """Each block's position in reverse postorder, the blocks of the loop at each loop head, and the registers
    that a block sets for itself alone.
    """

    order: tuple[int, ...]
    loops: dict[int, frozenset[int]]
    passing: tuple[frozenset[str], ...]


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
    return Graph(tuple(order), loops, _passing(function))


def _passing(function: ir.Function) -> tuple[frozenset[str], ...]:
    """Give for each block the registers that no other block reads: they are forgotten at its end."""
    read_in: dict[str, set[int]] = {}
    set_in: dict[str, set[int]] = {}
    for number, block in enumerate(function.blocks):
        for part in (*block.instructions, block.end):
            for name in operand_registers(part):
                read_in.setdefault(name, set()).add(number)
            for name in _results(part):
                set_in.setdefault(name, set()).add(number)
    kept = {parameter.name for parameter in function.parameters}
    alone = {name for name, blocks in set_in.items() if len(blocks) == 1 and read_in.get(name, blocks) == blocks}
    passing: list[set[str]] = [set() for _ in function.blocks]
    for name in alone - kept:
        passing[next(iter(set_in[name]))].add(name)
    return tuple(frozenset(names) for names in passing)


def _results(part: object) -> list[str]:
    names = (getattr(part, slot, "") for slot in ("register", "old", "new", "result", "succeeded"))
    return [name for name in names if isinstance(name, str) and name]


def operand_registers(part: object) -> list[str]:
    """Name the registers that an instruction, terminator, expression or place reads."""
    if isinstance(part, ir.Register):
        return [part.name]
    if isinstance(part, tuple):
        return [name for item in part for name in operand_registers(item)]
    if isinstance(part, ir.Site | ir.Loop | str | int) or part is None:
        return []
    slots = getattr(type(part), "__slots__", ())
    return [name for slot in slots if not slot.startswith("__") for name in operand_registers(getattr(part, slot))]


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
