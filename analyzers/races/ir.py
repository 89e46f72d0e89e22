"""The intermediate program that every language is lowered to: functions as graphs of simple instructions.

The race analysis reads nothing else, so a new language is one module that produces a `Program`.
A lowering decides which variables are *registers*: scalars whose address is never taken, which no other
thread can see.  Everything else lives in memory and is reached through a `Place`; reading or writing a
place is an event that can race.  Calls, locks and thread operations are instructions of their own, so
evaluating an expression never changes the state.
"""

from enum import StrEnum

from attrs import define, field, frozen


@frozen(order=True)
class Site:
    """Where something stands in the expanded text: 0-based line, columns in code points, half-open."""

    line: int
    column: int
    end_line: int
    end_column: int


# ---------------------------------------------------------------------------------------------- expressions


@frozen(eq=False)
class Constant:
    """An integer known when the program is lowered; a null pointer is 0."""

    value: int


@frozen(eq=False)
class Unknown:
    """A value nothing is known about; the same site gives the same symbol within one iteration."""

    site: Site


@frozen(eq=False)
class FunctionName:
    """A function used as a value."""

    name: str


@frozen(eq=False)
class Register:
    """The value of a register of the running function."""

    name: str


@frozen(eq=False)
class Read:
    """Load from memory: an event that can race unless `atomic`."""

    place: "Place"
    site: Site
    atomic: bool = False


@frozen(eq=False)
class Address:
    """The address of a place; evaluates the pointers on the way, but does not touch the place."""

    place: "Place"


@frozen(eq=False)
class Arithmetic:
    """``left op right`` on integers or, for + and -, a pointer and an integer."""

    op: str
    left: "Expression"
    right: "Expression"


@frozen(eq=False)
class Compare:
    """A comparison (==, !=, <, <=, >, >=) giving 0 or 1."""

    op: str
    left: "Expression"
    right: "Expression"


@frozen(eq=False)
class Not:
    """Logical negation."""

    operand: "Expression"


@frozen(eq=False)
class Mixed:
    """Operands evaluated for their events; the result is unknown."""

    operands: tuple["Expression", ...]
    site: Site


Expression = Constant | Unknown | FunctionName | Register | Read | Address | Arithmetic | Compare | Not | Mixed

# --------------------------------------------------------------------------------------------------- places


@frozen(eq=False)
class Variable:
    """A named object in memory: a global (`owner` empty) or a local of function `owner`."""

    name: str
    owner: str = ""


@frozen(eq=False)
class Pointee:
    """What a pointer points to."""

    pointer: Expression


@frozen(eq=False)
class Member:
    """A field of a structure."""

    base: "Place"
    name: str


@frozen(eq=False)
class Element:
    """An element of an array object."""

    base: "Place"
    index: Expression


Place = Variable | Pointee | Member | Element

# --------------------------------------------------------------------------------------------- instructions


class Mode(StrEnum):
    """How a lock is held: several readers may hold it together.

    ``BEFORE`` and ``AFTER`` are no locks but order: what is done before an event that happens once is never at
    the same time as what is done after it.
    """

    EXCLUSIVE = "exclusive"
    SHARED = "shared"
    BEFORE = "before"
    AFTER = "after"


@frozen
class Loop:
    """A counting loop ``for (i = first; i < bound; i += 1)``, in canonical words so that two loops compare."""

    head: int
    bounds: str
    register: str = ""


@frozen(eq=False)
class Set:
    """Put a value into a register."""

    register: str
    value: Expression


@frozen(eq=False)
class Write:
    """Store a value at a place."""

    place: Place
    value: Expression
    site: Site
    atomic: bool = False


@frozen(eq=False)
class Modify:
    """Read, change and store in one expression (``x += 1``); `old` and `new` receive the values."""

    place: Place
    op: str
    operand: Expression
    site: Site
    atomic: bool = False
    old: str = ""
    new: str = ""


@frozen(eq=False)
class Copy:
    """Copy a whole structure from one place to another."""

    target: Place
    source: Place
    site: Site


@frozen(eq=False)
class Touch:
    """A library function reads or writes the object behind a pointer."""

    pointer: Expression
    write: bool
    site: Site


@frozen(eq=False)
class Call:
    """Call a function of the program, or an unknown one."""

    register: str
    callee: Expression
    arguments: tuple[Expression, ...]
    site: Site


@frozen(eq=False)
class Acquire:
    """Take the lock behind a pointer.

    With `result` the attempt may fail: the register becomes `success` where the lock was taken and another
    value where it was not.
    """

    lock: Expression
    site: Site
    mode: Mode = Mode.EXCLUSIVE
    result: str = ""
    success: int = 0


@frozen(eq=False)
class Release:
    """Give back the lock behind a pointer."""

    lock: Expression
    site: Site


@frozen(eq=False)
class Await:
    """Wait for a condition: the lock is released meanwhile and held again afterwards."""

    lock: Expression | None
    site: Site


@frozen(eq=False)
class CompareSwap:
    """Atomically store `new` if the old value equals `expected`; `succeeded` or `old` receives the outcome."""

    pointer: Expression
    expected: Expression
    new: Expression
    site: Site
    succeeded: str = ""
    old: str = ""
    on_failure: Place | None = None


@frozen(eq=False)
class Exchange:
    """Atomically store `new`; `old` receives what was there."""

    pointer: Expression
    new: Expression
    site: Site
    old: str = ""


@frozen(eq=False)
class Spawn:
    """Start a thread that runs `function`; its handle is stored behind `handle` and put into `register`."""

    function: Expression
    arguments: tuple[Expression, ...]
    site: Site
    handle: Expression | None = None
    register: str = ""
    loop: Loop | None = None
    detached: bool = False


@frozen(eq=False)
class Join:
    """Wait for the thread with this handle."""

    handle: Expression
    site: Site


@frozen(eq=False)
class JoinAll:
    """After a loop that joined every element of an array of handles."""

    handles: Expression
    loop: Loop
    site: Site


@frozen(eq=False)
class Allocate:
    """Make a new object; `register` receives its address."""

    register: str
    site: Site
    zeroed: bool = False


@frozen(eq=False)
class Stop:
    """The thread or process ends here (``exit``, ``abort``, ``pthread_exit``)."""


@frozen(eq=False)
class Assume:
    """Only executions in which the condition holds go on."""

    condition: Expression


Instruction = (
    Set
    | Write
    | Modify
    | Copy
    | Touch
    | Call
    | Acquire
    | Release
    | Await
    | CompareSwap
    | Exchange
    | Spawn
    | Join
    | JoinAll
    | Allocate
    | Stop
    | Assume
)


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
    has its own.
    """

    functions: dict[str, Function]
    initial: tuple[tuple[Place, Expression], ...]
    thread_local: frozenset[str]
    entry: str = "main"
