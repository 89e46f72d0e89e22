"""Expressions, which only read, and places, which name parts of memory."""

from typing import NamedTuple

from attrs import frozen


class Site(NamedTuple):
    """Where something stands in the expanded text: 0-based line, columns in code points, half-open."""

    line: int
    column: int
    end_line: int
    end_column: int


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


Expression = Constant | Unknown | FunctionName | Register | Read | Address | Arithmetic | Compare | Not | Mixed


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
