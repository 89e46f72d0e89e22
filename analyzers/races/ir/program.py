"""Functions as graphs of blocks, and the program they make."""

from collections.abc import Mapping

from attrs import define, field, frozen

from assay.analyzers.races.ir.expressions import Expression, Place, Site
from assay.analyzers.races.ir.instructions import Instruction

CALLERS = "<callers>"  # the function that stands for whoever calls a library
ATOMIC_SECTION = "<atomic section>"
"""The global lock that every atomic section holds; no program can name it."""


@frozen(eq=False)
class Jump:
    """Go on in another block."""

    target: int


@frozen(eq=False)
class Branch:
    """Go on in one of two blocks."""

    condition: Expression
    then: int
    otherwise: int


@frozen(eq=False)
class Choose:
    """Go on in the block of the matching value; the last target has no value and is the default."""

    value: Expression
    targets: tuple[tuple[int | None, int], ...]


@frozen(eq=False)
class Return:
    """Leave the function."""

    value: Expression | None = None


Terminator = Jump | Branch | Choose | Return


@define(eq=False)
class Block:
    """A straight line of instructions and where it leads; filled in by a lowering."""

    instructions: list[Instruction] = field(factory=list)
    end: Terminator = field(factory=Return)
    loop_head: bool = False


@frozen(eq=False)
class Parameter:
    """A parameter: a register, or a variable in memory if its address is taken."""

    name: str
    in_memory: bool


@frozen(eq=False)
class Function:
    """A function body as blocks; block 0 is the entry.

    `in_memory` names its locals and parameters that are not registers; `atomic` marks a function whose whole
    body executes atomically; `exported` one that other files may call.
    """

    name: str
    parameters: tuple[Parameter, ...]
    blocks: tuple[Block, ...]
    site: Site
    in_memory: frozenset[str] = frozenset()
    atomic: bool = False
    exported: bool = True


@frozen(eq=False)
class Program:
    """A lowered program.

    `initial` are stores that happen before any thread runs; `thread_local` are names of which each thread
    has its own, `reentrant` locks that their holder can take again from the start (`SetReentrant`).  `declared` says
    where variables in memory are declared, by the names that their objects have.
    """

    functions: dict[str, Function]
    initial: tuple[tuple[Place, Expression], ...]
    thread_local: frozenset[str]
    entry: str = "main"
    reentrant: tuple[Place, ...] = ()
    declared: Mapping[str, Site] = field(factory=dict)
