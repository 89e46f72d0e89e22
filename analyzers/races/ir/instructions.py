"""What a thread does: accesses, calls, locks, threads and objects, each an instruction of its own."""

from enum import StrEnum

from attrs import frozen

from assay.analyzers.races.ir.expressions import Expression, Place, Site


class Mode(StrEnum):
    """How a lock is held: several readers may hold it together.

    ``TAKEN`` says that the object was taken out of a structure under the lock, and is still out: it is apart from
    what others do under that lock.  ``BEFORE`` and ``AFTER`` are no locks but order: what is done before an event
    that happens once is never at the same time as what is done after it.  ``UNIT`` notes what was taken from a
    semaphore, ``PHASE`` which wait at a barrier was the last.
    """

    EXCLUSIVE = "exclusive"
    SHARED = "shared"
    BEFORE = "before"
    AFTER = "after"
    UNIT = "unit"
    PHASE = "phase"
    TAKEN = "taken"


@frozen
class Loop:
    """A counting loop: `bounds` in canonical words, so that two loops compare, and the `register` that counts."""

    bounds: str
    register: str


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

    With `result` the attempt may fail: the register becomes `success` where the lock was taken and `failure`
    where it was not.  A thread can wait for the lock at `site`; without one it never waits.
    """

    lock: Expression
    mode: Mode = Mode.EXCLUSIVE
    result: str = ""
    success: int = 0
    failure: int = 1
    site: Site | None = None


@frozen(eq=False)
class SetReentrant:
    """Say whether the holder of a lock may take it again without waiting for itself: where `kind` is not 0.

    Locks that are recursive, and those that answer with an error, are.  A lock made from attributes is as the object
    at `like` is.
    """

    lock: Expression
    kind: Expression | None = None
    like: Expression | None = None


@frozen(eq=False)
class Release:
    """Give back the lock behind a pointer."""

    lock: Expression


@frozen(eq=False)
class Await:
    """Wait for a condition: its lock is released meanwhile and held again afterwards."""


@frozen(eq=False)
class Meet:
    """Wait at a barrier until all its threads are there; `result` becomes `serial` in one of them, in others 0."""

    barrier: Expression
    site: Site
    result: str
    serial: int = -1


@frozen(eq=False)
class SetSemaphore:
    """Give a semaphore its first count."""

    semaphore: Expression
    count: Expression


@frozen(eq=False)
class Take:
    """Wait until a semaphore's count is positive, and take one; with `result` the attempt may fail (as `Acquire`)."""

    semaphore: Expression
    result: str = ""
    failure: int = -1


@frozen(eq=False)
class Post:
    """Add one to a semaphore's count."""

    semaphore: Expression


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
    """Start a thread that runs `function`; its handle is stored behind `handle` and put into `register`.

    `loop` is the innermost counting loop around it: one that joins as often (`JoinAll`) joins all its threads.
    """

    function: Expression
    arguments: tuple[Expression, ...]
    site: Site
    handle: Expression | None = None
    register: str = ""
    loop: Loop | None = None


@frozen(eq=False)
class Join:
    """Wait for the thread with this handle.

    With `result` the attempt may fail: the register becomes 0 where the thread was joined and `failure` where it
    was not.
    """

    handle: Expression
    result: str = ""
    failure: int = 1
    site: Site | None = None


@frozen(eq=False)
class JoinAll:
    """After a loop that joined every thread whose handle lies in an array; `handles` is 0 if that is not known."""

    handles: Expression
    loop: Loop
    site: Site | None = None


@frozen(eq=False)
class Allocate:
    """Make a new object; `register` receives its address."""

    register: str
    site: Site


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
    | SetReentrant
    | Release
    | Await
    | Meet
    | SetSemaphore
    | Take
    | Post
    | CompareSwap
    | Exchange
    | Spawn
    | Join
    | JoinAll
    | Allocate
    | Stop
    | Assume
)
