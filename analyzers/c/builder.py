"""Build one function's graph: blocks, scopes, registers; the statements and expressions write into it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from attrs import define, field, frozen
from tree_sitter import Node

from assay.analyzers.c.constants import text_of
from assay.analyzers.c.types import INT, Array, Record, Type, TypeTable, is_atomic
from assay.analyzers.errors import LimitError
from assay.analyzers.races import ir

MAX_DEPTH = 150
ZERO, ONE = ir.Constant(0), ir.Constant(1)


@frozen
class Typed:
    """A lowered expression with its C type; `place` is set when it stands for an object (an lvalue)."""

    value: ir.Expression
    type: Type = INT
    place: ir.Place | None = None


ExpressionLowering = Callable[["Builder", Node], Typed]
StatementLowering = Callable[["Builder", Node], None]


@frozen
class Lowerings:
    """The functions that lower expressions and statements, by the kind of node in the syntax tree."""

    expressions: Mapping[str, ExpressionLowering]
    statements: Mapping[str, StatementLowering]


@frozen
class Symbol:
    """What a name means where it is used."""

    name: str
    type: Type
    kind: str  # "register", "memory", "function", "constant"
    place: ir.Place | None = None
    value: int = 0


@define
class Unit:
    """What a translation unit declares, shared by the lowering of all its functions."""

    lowerings: Lowerings
    types: TypeTable = field(factory=TypeTable)
    globals: dict[str, Symbol] = field(factory=dict)
    defined: set[str] = field(factory=set)
    thread_local: set[str] = field(factory=set)
    initial: list[tuple[ir.Place, ir.Expression]] = field(factory=list)
    reentrant: list[ir.Place] = field(factory=list)
    declared: dict[str, ir.Site] = field(factory=dict)


@define
class Builder:
    """The function being lowered; `block` is where the next instruction goes."""

    unit: Unit
    name: str
    addressed: frozenset[str]
    blocks: list[ir.Block] = field(factory=list)
    block: int = 0
    scopes: list[dict[str, Symbol]] = field(factory=lambda: [{}])
    labels: dict[str, int] = field(factory=dict)
    breaks: list[int] = field(factory=list)
    continues: list[int] = field(factory=list)
    loops: list[ir.Loop | None] = field(factory=list)
    joined: list[list[tuple[ir.Expression, ir.Loop, ir.Site]]] = field(factory=list)
    in_memory: set[str] = field(factory=set)
    temporaries: int = 0
    depth: int = 0

    def __attrs_post_init__(self) -> None:
        """Open the entry block."""
        self.blocks.append(ir.Block())

    def emit(self, instruction: ir.Instruction) -> None:
        """Add an instruction to the current block."""
        self.blocks[self.block].instructions.append(instruction)

    def new_block(self, *, loop_head: bool = False) -> int:
        """Make an empty block and give its number."""
        self.blocks.append(ir.Block(loop_head=loop_head))
        return len(self.blocks) - 1

    def finish(self, end: ir.Terminator, following: int) -> None:
        """End the current block and go on in `following`."""
        self.blocks[self.block].end = end
        self.block = following

    def temporary(self) -> str:
        """Name a fresh register."""
        self.temporaries += 1
        return f"%{self.temporaries}"

    def keep(self, value: ir.Expression) -> ir.Expression:
        """Evaluate now and give the result as a register, so that later events cannot change it."""
        if isinstance(value, ir.Constant | ir.FunctionName):
            return value
        register = self.temporary()
        self.emit(ir.Set(register, value))
        return ir.Register(register)

    def label(self, name: str) -> int:
        """Give the block of a goto label, making it at the first mention."""
        if name not in self.labels:
            self.labels[name] = self.new_block(loop_head=True)
        return self.labels[name]

    def lookup(self, name: str) -> Symbol | None:
        """Find what a name means here."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return self.unit.globals.get(name)

    def declare(self, name: str, type_: Type) -> Symbol:
        """Declare a local: a register unless its address is taken or it is not a scalar."""
        used = sum(name in scope for scope in self.scopes)
        unique = name if not used else f"{name}#{self.temporaries}"
        self.temporaries += bool(used)
        resolved = self.unit.types.resolve(type_)
        if name in self.addressed or is_atomic(type_, self.unit.types) or isinstance(resolved, Array | Record):
            symbol = Symbol(unique, type_, "memory", ir.Variable(unique, self.name))
            self.in_memory.add(unique)
        else:
            symbol = Symbol(unique, type_, "register")
        self.scopes[-1][name] = symbol
        return symbol

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Open a block scope."""
        self.scopes.append({})
        yield
        self.scopes.pop()

    @contextmanager
    def nested(self, node: Node) -> Iterator[None]:
        """Count nesting, so that hostile depth ends with a clear error instead of a crash."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise LimitError(
                f"The code is nested more than {MAX_DEPTH} levels deep at line {node.start_point[0] + 1}, "
                "so the function was not analysed. Split it to have it analysed."
            )
        try:
            yield
        finally:
            self.depth -= 1


def site_of(node: Node) -> ir.Site:
    """Give the position of a node; columns are bytes of the expanded text."""
    (line, column), (end_line, end_column) = node.start_point, node.end_point
    return ir.Site(line, column, end_line, end_column)


def addressed_names(body: Node) -> frozenset[str]:
    """Find the names whose address is taken anywhere in a function: ``&x``, ``&x.f``, ``&x[i]``."""
    found: set[str] = set()
    cursor = [body]
    while cursor:
        node = cursor.pop()
        if node.type == "pointer_expression" and node.children and node.children[0].type == "&":
            argument = node.child_by_field_name("argument")
            for _level in range(MAX_DEPTH):
                if argument is None or argument.type not in _WRAPPERS:
                    break
                argument = argument.child_by_field_name("argument") or next(iter(argument.named_children), None)
            if argument is not None and argument.type == "identifier":
                found.add(text_of(argument))
        cursor.extend(node.named_children)
    return frozenset(found)


_WRAPPERS = frozenset({"field_expression", "subscript_expression", "parenthesized_expression", "pointer_expression"})
