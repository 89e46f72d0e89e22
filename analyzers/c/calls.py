"""Lower calls: library functions become what they do, the program's own become calls."""

from collections.abc import Callable

from tree_sitter import Node

from assay.analyzers.c import library
from assay.analyzers.c.branches import branch_on
from assay.analyzers.c.builder import ONE, ZERO, Builder, Typed, site_of
from assay.analyzers.c.constants import text_of
from assay.analyzers.c.dispatch import lower, value_of
from assay.analyzers.c.places import place_of, read
from assay.analyzers.c.types import INT, Array, FunctionType, Pointer, Scalar, Type
from assay.analyzers.races import ir


def lower_call(builder: Builder, node: Node) -> Typed:
    """Lower a call expression."""
    function = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    nodes = [child for child in arguments.named_children if child.type != "comment"] if arguments is not None else []
    while function is not None and function.type == "parenthesized_expression" and function.named_children:
        function = function.named_children[0]
    name = text_of(function) if function is not None and function.type == "identifier" else ""
    symbol = builder.lookup(name) if name else None
    if name and name not in builder.unit.defined and (symbol is None or symbol.kind == "function"):
        known = _known(name)
        if known is not None:
            return known(builder, node, nodes)
    return _ordinary(builder, node, function, nodes)


def _ordinary(builder: Builder, node: Node, function: Node | None, nodes: list[Node]) -> Typed:
    result: Type = INT
    if function is not None and function.type == "identifier" and builder.lookup(text_of(function)) is None:
        callee: ir.Expression = ir.FunctionName(text_of(function))
    else:
        target = place_of(builder, function)
        site = function or node
        callee = target.value if target.place is None else read(builder, target.place, target.type, site).value
        result = _result_type(builder, target.type)
        callee = builder.keep(callee)
    values = [builder.keep(value_of(builder, argument)) for argument in nodes]
    register = builder.temporary()
    builder.emit(ir.Call(register, callee, tuple(values), site_of(node)))
    return Typed(ir.Register(register), result)


def _result_type(builder: Builder, type_: Type) -> Type:
    resolved = builder.unit.types.resolve(type_)
    if isinstance(resolved, Pointer):
        resolved = builder.unit.types.resolve(resolved.target)
    return resolved.result if isinstance(resolved, FunctionType) else INT


Handler = Callable[[Builder, Node, list[Node]], Typed]


def _known(name: str) -> Handler | None:
    base = name.removesuffix("_explicit")
    for table, handler in _TABLES:
        if base in table:
            return lambda builder, node, nodes: handler(builder, node, nodes, base)
    return None


def _argument(builder: Builder, nodes: list[Node], index: int) -> ir.Expression:
    return value_of(builder, nodes[index]) if index < len(nodes) else ZERO


def _acquire(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    builder.emit(ir.Acquire(_argument(builder, nodes, 0), library.ACQUIRE[name], site=site_of(node)))
    return Typed(ZERO)


def _try_acquire(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    mode, success, failure = library.TRY_ACQUIRE[name]
    register = builder.temporary()
    builder.emit(ir.Acquire(_argument(builder, nodes, 0), mode, register, success, failure, site_of(node)))
    return Typed(ir.Register(register))


def _init_lock(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    lock = builder.keep(_argument(builder, nodes, 0))
    builder.emit(ir.SetReentrant(lock, like=builder.keep(_argument(builder, nodes, 1))))
    return Typed(ZERO)


def _set_lock_type(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    lock, kind = (builder.keep(_argument(builder, nodes, index)) for index in (0, 1))
    mask = library.SET_LOCK_TYPE[name]
    builder.emit(ir.SetReentrant(lock, ir.Arithmetic("&", kind, ir.Constant(mask))))
    return Typed(ZERO)


def _release(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    builder.emit(ir.Release(_argument(builder, nodes, 0)))
    return Typed(ZERO)


def _await(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    builder.emit(ir.Await())
    return Typed(ZERO if not name.endswith("timedwait") else ir.Unknown(site_of(node)))


def _meet(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    register = builder.temporary()
    builder.emit(ir.Meet(_argument(builder, nodes, 0), site_of(node), register))
    return Typed(ir.Register(register))


def _set_semaphore(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    semaphore, count = builder.keep(_argument(builder, nodes, 0)), builder.keep(_argument(builder, nodes, 2))
    builder.emit(ir.SetSemaphore(semaphore, count))
    return Typed(ZERO)


def _take(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    builder.emit(ir.Take(_argument(builder, nodes, 0)))
    return Typed(ZERO)


def _try_take(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    register = builder.temporary()
    builder.emit(ir.Take(_argument(builder, nodes, 0), register))
    return Typed(ir.Register(register))


def _post(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    builder.emit(ir.Post(_argument(builder, nodes, 0)))
    return Typed(ZERO)


def _spawn(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    handle, function, argument = library.SPAWN[name]
    loop = next((loop for loop in reversed(builder.loops) if loop is not None), None)
    values = [builder.keep(_argument(builder, nodes, index)) for index in (handle, function, argument)]
    builder.emit(ir.Spawn(values[1], (values[2],), site_of(node), values[0], loop=loop))
    return Typed(ZERO)


def _join(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    if not nodes:
        return Typed(ZERO)
    builder.emit(ir.Join(_argument(builder, nodes, 0), site=site_of(node)))
    loop = builder.loops[-1] if builder.loops else None
    if loop is not None and builder.joined and _uses(builder, nodes[0], loop.register):
        builder.joined[-1].append((_handles(builder, nodes[0]), loop, site_of(node)))
    return Typed(ZERO)


def _try_join(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    register = builder.temporary()
    builder.emit(ir.Join(_argument(builder, nodes, 0), register, library.TRY_JOIN[name], site_of(node)))
    return Typed(ir.Register(register))


def _uses(builder: Builder, node: Node, register: str) -> bool:
    """Tell whether an expression mentions the counter of a loop."""
    todo = [node]
    while todo:
        part = todo.pop()
        symbol = builder.lookup(text_of(part)) if part.type == "identifier" else None
        if symbol is not None and symbol.name == register:
            return True
        todo += part.named_children
    return False


def _handles(builder: Builder, node: Node) -> ir.Expression:
    """Give the array whose elements a loop joins, or 0 when the handles lie elsewhere."""
    array = place_of(builder, node.child_by_field_name("argument")) if node.type == "subscript_expression" else None
    if array is None or array.place is None:
        return ZERO
    resolved = builder.unit.types.resolve(array.type)
    return (
        ir.Address(ir.Element(array.place, ZERO))
        if isinstance(resolved, Array)
        else ir.Read(array.place, site_of(node))
    )


def _once(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    """``pthread_once``: the initialiser runs exclusively; everyone who returned comes after it."""
    control = builder.keep(_argument(builder, nodes, 0))
    function = builder.keep(_argument(builder, nodes, 1))
    builder.emit(ir.Acquire(control))
    builder.emit(ir.Acquire(control, ir.Mode.BEFORE))
    builder.emit(ir.Call(builder.temporary(), function, (), site_of(node)))
    builder.emit(ir.Release(control))
    builder.emit(ir.Acquire(control, ir.Mode.AFTER))
    return Typed(ZERO)


def _stop(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    for argument in nodes:
        builder.keep(value_of(builder, argument))
    builder.emit(ir.Stop())
    return Typed(ZERO)


def _assume(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    if nodes:
        holds, fails = builder.new_block(), builder.new_block()
        branch_on(builder, nodes[0], holds, fails)
        builder.blocks[fails].instructions.append(ir.Stop())
        builder.block = holds
    return Typed(ZERO)


def _allocate(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    for argument in nodes:
        builder.keep(value_of(builder, argument))
    register = builder.temporary()
    builder.emit(ir.Allocate(register, site_of(node)))
    return Typed(ir.Register(register), Pointer(INT))


def _touch(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    values = [_object(builder, argument)[0] for argument in nodes]
    for index, written in library.TOUCH[name]:
        if index < len(values):
            builder.emit(ir.Touch(values[index], written, site_of(nodes[index])))
    return Typed(ir.Unknown(site_of(node)))


def _object(builder: Builder, node: Node) -> tuple[ir.Expression, Type]:
    """Evaluate the argument of a function that touches what it points to; an array is touched as a whole."""
    found = lower(builder, node)
    resolved = builder.unit.types.resolve(found.type)
    whole = found.place if isinstance(resolved, Array) else None
    return builder.keep(found.value if whole is None else ir.Address(whole)), resolved


def _print(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    for index, argument in enumerate(nodes):
        value, type_ = _object(builder, argument)
        if index >= library.PRINT[name] and _is_string(type_):
            builder.emit(ir.Touch(value, False, site_of(argument)))
    return Typed(ir.Unknown(site_of(node)))


def _is_string(type_: Type) -> bool:
    inner = type_.target if isinstance(type_, Pointer) else type_.element if isinstance(type_, Array) else None
    return isinstance(inner, Scalar) and inner.name.endswith("char")


def _scan(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    values = [_object(builder, argument)[0] for argument in nodes]
    for index in range(library.SCAN[name], len(values)):
        builder.emit(ir.Touch(values[index], True, site_of(nodes[index])))
    return Typed(ir.Unknown(site_of(node)))


def _atomic_section(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    lock = ir.Address(ir.Variable(ir.ATOMIC_SECTION))
    kind = ir.Acquire if name == library.ATOMIC_BEGIN else ir.Release
    builder.emit(kind(lock))
    return Typed(ZERO)


def _atomic_load(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    return Typed(ir.Read(ir.Pointee(_argument(builder, nodes, 0)), site_of(node), atomic=True))


def _atomic_store(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    pointer, value = builder.keep(_argument(builder, nodes, 0)), builder.keep(_argument(builder, nodes, 1))
    builder.emit(ir.Write(ir.Pointee(pointer), value, site_of(node), atomic=True))
    return Typed(ZERO)


def _atomic_clear(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    builder.emit(ir.Write(ir.Pointee(_argument(builder, nodes, 0)), ZERO, site_of(node), atomic=True))
    return Typed(ZERO)


def _content(builder: Builder, nodes: list[Node], index: int, node: Node) -> ir.Expression:
    """Read what an argument points to."""
    return builder.keep(ir.Read(ir.Pointee(_argument(builder, nodes, index)), site_of(node)))


def _atomic_load_into(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    loaded = builder.keep(_atomic_load(builder, node, nodes, name).value)
    builder.emit(ir.Write(ir.Pointee(_argument(builder, nodes, 1)), loaded, site_of(node)))
    return Typed(ZERO)


def _atomic_store_from(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    pointer, value = builder.keep(_argument(builder, nodes, 0)), _content(builder, nodes, 1, node)
    builder.emit(ir.Write(ir.Pointee(pointer), value, site_of(node), atomic=True))
    return Typed(ZERO)


def _exchange_via(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    pointer, new, old = (
        builder.keep(_argument(builder, nodes, 0)),
        _content(builder, nodes, 1, node),
        builder.temporary(),
    )
    builder.emit(ir.Exchange(pointer, new, site_of(node), old))
    builder.emit(ir.Write(ir.Pointee(_argument(builder, nodes, 2)), ir.Register(old), site_of(node)))
    return Typed(ZERO)


def _exchange(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    pointer = builder.keep(_argument(builder, nodes, 0))
    new = ONE if name in library.ATOMIC_TEST_AND_SET else builder.keep(_argument(builder, nodes, 1))
    register = builder.temporary()
    builder.emit(ir.Exchange(pointer, new, site_of(node), register))
    return Typed(ir.Register(register))


def _compare_exchange(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    pointer, expected = builder.keep(_argument(builder, nodes, 0)), builder.keep(_argument(builder, nodes, 1))
    by_pointer = name in library.COMPARE_EXCHANGE_FROM
    new = _content(builder, nodes, 2, node) if by_pointer else builder.keep(_argument(builder, nodes, 2))
    place = ir.Pointee(expected)
    wanted = builder.keep(ir.Read(place, site_of(node)))
    register = builder.temporary()
    builder.emit(ir.CompareSwap(pointer, wanted, new, site_of(node), succeeded=register, on_failure=place))
    return Typed(ir.Register(register))


def _compare_swap(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    pointer, expected, new = (builder.keep(_argument(builder, nodes, index)) for index in range(3))
    register = builder.temporary()
    gives_success = library.COMPARE_SWAP[name]
    succeeded, old = (register, "") if gives_success else ("", register)
    builder.emit(ir.CompareSwap(pointer, expected, new, site_of(node), succeeded=succeeded, old=old))
    return Typed(ir.Register(register))


def _atomic_modify(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    operator, gives_new = library.ATOMIC_MODIFY[name]
    pointer, operand = builder.keep(_argument(builder, nodes, 0)), builder.keep(_argument(builder, nodes, 1))
    old, new = builder.temporary(), builder.temporary()
    builder.emit(ir.Modify(ir.Pointee(pointer), operator, operand, site_of(node), True, old, new))
    return Typed(ir.Register(new if gives_new else old))


def _kernel_atomic(builder: Builder, node: Node, nodes: list[Node], name: str) -> Typed:
    index, operator = library.KERNEL_ATOMIC[name]
    pointer = builder.keep(_argument(builder, nodes, index))
    builder.emit(ir.Modify(ir.Pointee(pointer), operator, ONE, site_of(node), atomic=True))
    return Typed(ir.Unknown(site_of(node)))


_TABLES = (
    (library.ACQUIRE, _acquire),
    (library.RELEASE, _release),
    (library.TRY_ACQUIRE, _try_acquire),
    (library.INIT_LOCK, _init_lock),
    (library.SET_LOCK_TYPE, _set_lock_type),
    (library.AWAIT, _await),
    (frozenset({library.SEMAPHORE_INIT}), _set_semaphore),
    (library.BARRIER_WAIT, _meet),
    (library.TAKE, _take),
    (library.TRY_TAKE, _try_take),
    (library.POST, _post),
    (library.SPAWN, _spawn),
    (library.JOIN, _join),
    (library.TRY_JOIN, _try_join),
    (library.ONCE, _once),
    (library.STOP, _stop),
    (library.ASSUME, _assume),
    (library.ALLOCATE, _allocate),
    (library.TOUCH, _touch),
    (library.PRINT, _print),
    (library.SCAN, _scan),
    (frozenset({library.ATOMIC_BEGIN, library.ATOMIC_END}), _atomic_section),
    (library.ATOMIC_LOAD, _atomic_load),
    (library.ATOMIC_STORE, _atomic_store),
    (library.ATOMIC_CLEAR, _atomic_clear),
    (library.ATOMIC_EXCHANGE | library.ATOMIC_TEST_AND_SET, _exchange),
    (library.ATOMIC_LOAD_INTO, _atomic_load_into),
    (library.ATOMIC_STORE_FROM, _atomic_store_from),
    (library.ATOMIC_EXCHANGE_VIA, _exchange_via),
    (library.COMPARE_EXCHANGE | library.COMPARE_EXCHANGE_FROM, _compare_exchange),
    (library.COMPARE_SWAP, _compare_swap),
    (library.ATOMIC_MODIFY, _atomic_modify),
    (library.KERNEL_ATOMIC, _kernel_atomic),
)
