"""Lower C statements: control flow becomes blocks and branches."""

from tree_sitter import Node

from assay.analyzers.c.branches import branch_on
from assay.analyzers.c.builder import ZERO, Builder, StatementLowering, Symbol, Typed, site_of
from assay.analyzers.c.constants import text_of
from assay.analyzers.c.dispatch import evaluate, lower, lower_statement, value_of
from assay.analyzers.c.initialisers import elements, initialise
from assay.analyzers.c.places import store
from assay.analyzers.c.types import INT, Declared, FunctionType, Record, declared, specifier_type
from assay.analyzers.races import ir


def _block(builder: Builder, node: Node) -> None:
    with builder.scope():
        for child in node.named_children:
            lower_statement(builder, child)


def _expression(builder: Builder, node: Node) -> None:
    for child in node.named_children:
        evaluate(builder, child)


def _declaration(builder: Builder, node: Node) -> None:
    specifier_type(node, builder.unit.types)
    for item in declared(node, builder.unit.types):
        if item.typedef:
            builder.unit.types.typedefs[item.name] = item.type
        elif isinstance(item.type, FunctionType) or item.extern:
            _extern(builder, item.name, isinstance(item.type, FunctionType))
        elif item.static or item.thread_local:
            _static(builder, item)
        else:
            symbol = builder.declare(item.name, item.type)
            if symbol.kind == "memory":
                builder.unit.declared[f"{builder.name}.{symbol.name}"] = site_of(item.node)
            _initial_value(builder, symbol, item.value, node)


def _extern(builder: Builder, name: str, is_function: bool) -> None:
    known = builder.unit.globals.get(name)
    if known is None:
        kind, place = ("function", None) if is_function else ("memory", ir.Variable(name))
        known = Symbol(name, INT, kind, place)
        builder.unit.globals[name] = known
    builder.scopes[-1][name] = known


def _static(builder: Builder, item: Declared) -> None:
    unique = f"{builder.name}.{item.name}"
    place = ir.Variable(unique)
    builder.unit.declared[unique] = site_of(item.node)
    builder.scopes[-1][item.name] = Symbol(unique, item.type, "memory", place)
    if item.thread_local:
        builder.unit.thread_local.add(unique)
    for target, _type, node in elements(builder.unit.types, place, item.type, item.value):
        builder.unit.initial.append((target, value_of(builder, node)))


def _initial_value(builder: Builder, symbol: Symbol, value: Node | None, node: Node) -> None:
    if value is None:
        if symbol.kind == "register":
            builder.emit(ir.Set(symbol.name, ir.Unknown(site_of(node))))
        return
    if symbol.place is None:
        inner = value.named_children[0] if value.type == "initializer_list" and value.named_children else value
        builder.emit(ir.Set(symbol.name, value_of(builder, inner)))
    elif value.type == "initializer_list":
        initialise(builder, symbol.place, symbol.type, value)
    else:
        found = lower(builder, value)
        if isinstance(builder.unit.types.resolve(symbol.type), Record) and found.place is not None:
            builder.emit(ir.Copy(symbol.place, found.place, site_of(value)))
        else:
            store(builder, Typed(ZERO, symbol.type, symbol.place), found.value, value)


def _if(builder: Builder, node: Node) -> None:
    """Lower a whole chain of ``else if`` at once: it may be long without being deep."""
    after = builder.new_block()
    chained: Node | None = node
    while chained is not None:
        then, otherwise = builder.new_block(), builder.new_block()
        branch_on(builder, chained.child_by_field_name("condition"), then, otherwise)
        builder.block = then
        _body(builder, chained.child_by_field_name("consequence"))
        builder.finish(ir.Jump(after), otherwise)
        chained = _alternative(builder, chained.child_by_field_name("alternative"))
    builder.finish(ir.Jump(after), after)


def _alternative(builder: Builder, node: Node | None) -> Node | None:
    """Give the ``if`` that an ``else`` consists of, or lower what else it is."""
    parts = [] if node is None else node.named_children if node.type == "else_clause" else [node]
    if len(parts) == 1 and parts[0].type == "if_statement":
        return parts[0]
    for part in parts:
        lower_statement(builder, part)
    return None


def _body(builder: Builder, node: Node | None) -> None:
    if node is not None:
        lower_statement(builder, node)


def _loop(builder: Builder, node: Node, following: int, again: int, loop: ir.Loop | None) -> None:
    """Lower the body of a loop; what it joins is emitted after the loop, by `_joins`."""
    builder.breaks.append(following)
    builder.continues.append(again)
    builder.loops.append(loop)
    builder.joined.append([])
    _body(builder, node.child_by_field_name("body"))
    builder.breaks.pop()
    builder.continues.pop()
    builder.loops.pop()


def _joins(builder: Builder) -> None:
    for handles, loop, site in builder.joined.pop():
        builder.emit(ir.JoinAll(handles, loop, site))


def _while(builder: Builder, node: Node) -> None:
    head, body, following = builder.new_block(loop_head=True), builder.new_block(), builder.new_block()
    builder.finish(ir.Jump(head), head)
    branch_on(builder, node.child_by_field_name("condition"), body, following)
    builder.block = body
    _loop(builder, node, following, head, None)
    builder.finish(ir.Jump(head), following)
    _joins(builder)


def _do(builder: Builder, node: Node) -> None:
    body, test, following = builder.new_block(loop_head=True), builder.new_block(), builder.new_block()
    builder.finish(ir.Jump(body), body)
    _loop(builder, node, following, test, None)
    builder.finish(ir.Jump(test), test)
    branch_on(builder, node.child_by_field_name("condition"), body, following)
    builder.block = following
    _joins(builder)


def _for(builder: Builder, node: Node) -> None:
    with builder.scope():
        start = node.child_by_field_name("initializer")
        if start is not None:
            (lower_statement if start.type == "declaration" else evaluate)(builder, start)
        head, body = builder.new_block(loop_head=True), builder.new_block()
        step, done, following = (builder.new_block() for _ in range(3))
        builder.finish(ir.Jump(head), head)
        condition = node.child_by_field_name("condition")
        if condition is None:
            builder.finish(ir.Jump(body), body)
        else:
            branch_on(builder, condition, body, done)
        builder.block = body
        _loop(builder, node, following, step, counting_loop(builder, node))
        builder.finish(ir.Jump(step), step)
        update = node.child_by_field_name("update")
        if update is not None:
            evaluate(builder, update)
        builder.finish(ir.Jump(head), done)
        _joins(builder)
        builder.finish(ir.Jump(following), following)


def counting_loop(builder: Builder, node: Node) -> ir.Loop | None:
    """Recognise ``for (i = a; i < b; i++)`` and give its bounds in words that compare between loops."""
    condition, update = node.child_by_field_name("condition"), node.child_by_field_name("update")
    if condition is None or update is None or condition.type != "binary_expression":
        return None
    variable = text_of(condition.child_by_field_name("left"))
    if update.type != "update_expression" or text_of(update.child_by_field_name("argument")) != variable:
        return None
    start = _initial_text(node.child_by_field_name("initializer"), variable)
    symbol = builder.lookup(variable)
    if start is None or symbol is None:
        return None
    test = text_of(condition.children[1]).replace("!=", "<")
    bound = text_of(condition.child_by_field_name("right"))
    return ir.Loop(f"{start}{text_of(update)[-2:]}{test}{bound}", symbol.name)


def _initial_text(start: Node | None, variable: str) -> str | None:
    if start is None:
        return None
    inits = [start] if start.type == "assignment_expression" else start.children_by_field_name("declarator")
    for init in inits:
        name = init.child_by_field_name("left") or init.child_by_field_name("declarator")
        value = init.child_by_field_name("right") or init.child_by_field_name("value")
        if text_of(name) == variable:
            return text_of(value)
    return None


def _switch(builder: Builder, node: Node) -> None:
    value = builder.keep(value_of(builder, node.child_by_field_name("condition")))
    before, following = builder.block, builder.new_block()
    targets: list[tuple[int | None, int]] = []
    default = following
    builder.breaks.append(following)
    builder.block = builder.new_block()
    body = node.child_by_field_name("body")
    for child in body.named_children if body is not None else ():
        if child.type != "case_statement":
            lower_statement(builder, child)
            continue
        block = builder.new_block()
        builder.finish(ir.Jump(block), block)
        test = child.child_by_field_name("value")
        if test is None:
            default = block
        else:
            constant = value_of(builder, test)
            targets.append((constant.value if isinstance(constant, ir.Constant) else None, block))
        for statement in child.named_children:
            if test is None or statement.id != test.id:
                lower_statement(builder, statement)
    builder.finish(ir.Jump(following), following)
    builder.breaks.pop()
    builder.blocks[before].end = ir.Choose(value, (*targets, (None, default)))


def _leave(builder: Builder, target: int) -> None:
    builder.finish(ir.Jump(target), builder.new_block())


def _break(builder: Builder, node: Node) -> None:
    if builder.breaks:
        _leave(builder, builder.breaks[-1])


def _continue(builder: Builder, node: Node) -> None:
    if builder.continues:
        _leave(builder, builder.continues[-1])


def _goto(builder: Builder, node: Node) -> None:
    _leave(builder, builder.label(text_of(node.child_by_field_name("label"))))


def _labelled(builder: Builder, node: Node) -> None:
    target = builder.label(text_of(node.child_by_field_name("label")))
    builder.finish(ir.Jump(target), target)
    for child in node.named_children[1:]:
        lower_statement(builder, child)


def _return(builder: Builder, node: Node) -> None:
    value = value_of(builder, node.named_children[0]) if node.named_children else None
    builder.finish(ir.Return(value), builder.new_block())


def _function_definition(builder: Builder, node: Node) -> None:
    """A nested function was already lowered on its own."""


KINDS: dict[str, StatementLowering] = {
    "compound_statement": _block,
    "expression_statement": _expression,
    "declaration": _declaration,
    "type_definition": _declaration,
    "if_statement": _if,
    "while_statement": _while,
    "do_statement": _do,
    "for_statement": _for,
    "switch_statement": _switch,
    "break_statement": _break,
    "continue_statement": _continue,
    "goto_statement": _goto,
    "labeled_statement": _labelled,
    "return_statement": _return,
    "function_definition": _function_definition,
}
