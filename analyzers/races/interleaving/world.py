"""The states of a program of which the interleavings are explored, and what is exact in them."""

from collections.abc import Iterator
from typing import NamedTuple

from attrs import frozen

from assay.analyzers.races import ir
from assay.analyzers.races.values import Base, FunctionValue, Location, ThreadValue

ANY_ELEMENT = "[any]"
ATOMIC = Location(Base("global", ir.ATOMIC_SECTION))
MAX_THREADS = 5
MAX_FRAMES = 12
SMALL = 4  # numbers up to this are exact, and so are the constants of the program

Known = int | Location | FunctionValue | ThreadValue
Value = Known | None  # None: anything
SitePair = tuple[ir.Site, ir.Site]


class UnsupportedError(Exception):
    """The program does something that is not modelled exactly; the exploration says nothing about it."""


class Touched(NamedTuple):
    """One access that a step makes."""

    location: Location
    write: bool
    atomic: bool
    site: ir.Site


class Frame(NamedTuple):
    """An activation: where it is, its registers, and where its result goes in the caller."""

    function: str
    block: int
    position: int
    registers: frozenset[tuple[str, Value]]
    result: str
    atomic: bool = False  # leaving it ends an atomic section


Stack = tuple[Frame, ...]  # the running function is last; empty when the thread has ended
Memory = frozenset[tuple[Location, Value]]
Owners = frozenset[tuple[Location, int, bool]]  # lock, thread, shared


class World(NamedTuple):
    """A state of the whole program."""

    stacks: tuple[Stack, ...]
    memory: Memory
    owners: Owners


@frozen(eq=False)
class Model:
    """The program and the numbers that are exact in its states."""

    program: ir.Program
    constants: frozenset[int]

    @classmethod
    def of(cls, program: ir.Program) -> "Model":
        """Keep small numbers exact, and those that the program stores."""
        return cls(program, frozenset(_constants(program)) | frozenset(range(-SMALL, SMALL + 1)))

    def small(self, value: Value) -> Value:
        """Keep a number only if it is exact; None stands for any."""
        return value if not isinstance(value, int) or value in self.constants else None


def conflict(one: Touched, other: Touched) -> bool:
    """Tell whether two accesses that are next at once are a race."""
    if not (one.write or other.write) or (one.atomic and other.atomic):
        return False
    return one.location.base == other.location.base and all(
        mine == its or not isinstance(mine, str | int) or not isinstance(its, str | int)
        for mine, its in zip(one.location.path, other.location.path, strict=False)
    )


def _constants(program: ir.Program) -> Iterator[int]:
    """Give the integer constants of a program that are compared or stored."""
    for function in program.functions.values():
        for block in function.blocks:
            for instruction in block.instructions:
                for expression in _operands(instruction):
                    if isinstance(expression, ir.Constant) and abs(expression.value) <= 1000:
                        yield expression.value


def _operands(instruction: ir.Instruction) -> tuple[ir.Expression, ...]:
    match instruction:
        case ir.Write() | ir.Set():
            return (instruction.value,)
        case ir.Exchange():
            return (instruction.new,)
        case ir.CompareSwap():
            return instruction.expected, instruction.new
        case _:
            return ()
