"""The constant expressions of ``#if`` (C17 6.10.1): 64-bit integers, signed or unsigned, evaluated as they are read."""

import re
from collections.abc import Sequence

from attrs import define, frozen

from assay.analyzers.c.lexical import Token

_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlLzZ]*)")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]+)|([0-7]{1,3})|(.))")
_SIMPLE_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "0": 0}
_PRECEDENCE = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_MAX_DEPTH = 30  # of parentheses, each of which may cost a dozen Python frames
_WORD = 1 << 64


class ConditionError(Exception):
    """The expression cannot be evaluated; the message says why."""


@frozen
class _Value:
    number: int
    unsigned: bool = False


def evaluate(tokens: Sequence[Token]) -> bool:
    """Tell whether an expression without macros holds; remaining identifiers are 0.

    Raises `ConditionError` for what is no integer constant expression, division by zero included.
    """
    parser = _Parser(list(tokens))
    value = parser.conditional(live=True)
    if parser.position < len(tokens):
        raise ConditionError(f"unexpected “{parser.peek()}”")
    return value.number != 0


@define
class _Parser:
    """Precedence climbing; `live` is False in operands that the expression does not evaluate."""

    tokens: list[Token]
    position: int = 0
    depth: int = 0

    def peek(self) -> str:
        return self.tokens[self.position].text if self.position < len(self.tokens) else ""

    def take(self, expected: str) -> None:
        if self.peek() != expected:
            raise ConditionError(f"expected “{expected}”, found “{self.peek() or 'the end of the line'}”")
        self.position += 1

    def conditional(self, live: bool) -> _Value:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise ConditionError("it is nested too deeply")
        value = self.binary(1, live)
        if self.peek() == "?":
            self.position += 1
            chosen = self.conditional(live and value.number != 0)
            self.take(":")
            other = self.conditional(live and value.number == 0)
            value = _wrap((chosen if value.number else other).number, chosen.unsigned or other.unsigned)
        self.depth -= 1
        return value

    def binary(self, lowest: int, live: bool) -> _Value:
        left = self.unary(live)
        while (precedence := _PRECEDENCE.get(self.peek(), 0)) >= lowest:
            operator = self.peek()
            self.position += 1
            decided = (operator == "&&" and not left.number) or (operator == "||" and left.number != 0)
            right = self.binary(precedence + 1, live and not decided)
            left = _apply(operator, left, right, live)
        return left

    def unary(self, live: bool) -> _Value:
        operators = []
        while self.peek() in ("!", "-", "+", "~"):
            operators.append(self.peek())
            self.position += 1
        value = self.primary(live)
        for operator in reversed(operators):
            value = _negate(operator, value)
        return value

    def primary(self, live: bool) -> _Value:
        if self.position >= len(self.tokens):
            raise ConditionError("it ends too early")
        token = self.tokens[self.position]
        self.position += 1
        if token.text == "(":
            value = self.conditional(live)
            self.take(")")
            return value
        if token.kind == "i":
            return _Value(int(token.text == "true"))
        if token.kind == "n":
            return _integer(token.text)
        if token.kind == "c":
            return _Value(_character(token.text))
        raise ConditionError(f"unexpected “{token.text}”")


def _wrap(number: int, unsigned: bool) -> _Value:
    number %= _WORD
    return _Value(number if unsigned or number < _WORD // 2 else number - _WORD, unsigned)


def _integer(text: str) -> _Value:
    match = _INTEGER.fullmatch(text.replace("'", ""))
    if match is None or len(text) > 100:
        raise ConditionError(f"“{text[:40]}” is not an integer")
    digits = match[1].lower()
    octal = len(digits) > 1 and digits[0] == "0" and digits[1].isdigit()
    try:
        number = int(digits, 8 if octal else 0)
    except ValueError:
        raise ConditionError(f"“{text}” is not an integer") from None
    return _wrap(number, "u" in match[2].lower() or number >= _WORD // 2)


def _character(text: str) -> int:
    body = text[text.index("'") + 1 :].removesuffix("'")
    value = 0
    while body:
        match = _ESCAPE.match(body)
        value = value << 8 | (ord(body[0]) if match is None else _escaped(match)) & 0xFF
        body = body[1:] if match is None else body[match.end() :]
    value &= 0xFFFFFFFF
    if len(text) == 3 or value < 128:
        return value
    return value - 256 if value < 256 else value


def _escaped(match: re.Match[str]) -> int:
    if match[1]:
        return int(match[1], 16)
    return int(match[2], 8) if match[2] else _SIMPLE_ESCAPES.get(match[3], ord(match[3]))


def _negate(operator: str, value: _Value) -> _Value:
    if operator == "!":
        return _Value(int(not value.number))
    number = {"-": -value.number, "~": ~value.number, "+": value.number}[operator]
    return _wrap(number, value.unsigned)


def _apply(operator: str, left: _Value, right: _Value, live: bool) -> _Value:
    if operator in ("&&", "||"):
        holds = (left.number and right.number) if operator == "&&" else (left.number or right.number)
        return _Value(int(bool(holds)))
    if operator in ("<<", ">>"):
        return _shift(left, right.number if operator == "<<" else -right.number)
    unsigned = left.unsigned or right.unsigned
    a, b = _wrap(left.number, unsigned).number, _wrap(right.number, unsigned).number
    if operator in _COMPARISONS:
        return _Value(int(_compare(operator, a, b)))
    return _wrap(_arithmetic(operator, a, b, live), unsigned)


def _shift(left: _Value, places: int) -> _Value:
    if places >= 64:
        return _Value(0, left.unsigned)
    return _wrap(left.number << places if places >= 0 else left.number >> min(-places, 64), left.unsigned)


def _compare(operator: str, a: int, b: int) -> bool:
    if operator in ("==", "!="):
        return (a == b) == (operator == "==")
    if operator in ("<", ">="):
        return (a < b) == (operator == "<")
    return (a > b) == (operator == ">")


def _arithmetic(operator: str, a: int, b: int, live: bool) -> int:
    if operator in ("/", "%"):
        return _divide(operator, a, b, live)
    return {"+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b}[operator]


def _divide(operator: str, a: int, b: int, live: bool) -> int:
    if b == 0:
        if live:
            raise ConditionError("it divides by zero")
        return 0
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)  # C truncates towards zero
    return quotient if operator == "/" else a - quotient * b
