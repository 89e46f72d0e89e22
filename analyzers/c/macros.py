"""Macro definitions and their expansion (C17 6.10.3, with GNU variadic macros).

The expansion is Prosser's algorithm: each token carries the set of macros that may not expand it again, which is
the standard's "painted blue" made explicit.  All work is metered, since a few lines of macros can describe gigabytes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from attrs import define, field, frozen

from assay.analyzers.c.lexical import Origin, Token, single, spell, tokenize

_MAX_NESTING = 60
_PLACEMARKER = "m"  # stands for an empty argument beside ##


class ExpansionLimitError(Exception):
    """An expansion would be too large or too deep; the caller leaves the text as it is."""


@frozen
class Macro:
    """A definition; `parameters` is None for an object-like macro.

    `variadic` names the parameter that takes the remaining arguments; `plain` tells that the body has no operators.
    """

    name: str
    body: tuple[Token, ...]
    parameters: tuple[str, ...] | None = None
    variadic: str | None = None
    plain: bool = True


@define
class Meter:
    """How many characters expansions may still produce: in this line, and in the whole text."""

    line: int
    total: int

    def spend(self, tokens: Iterable[Token]) -> None:
        """Count what an expansion produced; raise `ExpansionLimitError` when it is too much."""
        self.charge(sum(len(token.text) + 4 for token in tokens))

    def charge(self, cost: int) -> None:
        """Count `cost` characters of work."""
        self.line -= cost
        self.total -= cost
        if self.line < 0 or self.total < 0:
            raise ExpansionLimitError


class Source(Protocol):
    """Where the tokens of the following lines come from, while a macro call goes on over several lines."""

    def more(self, depth: int) -> list[Token]:
        """Give the next line's tokens if a call open at `depth` (0: before its parenthesis) is closed later on."""


class NoSource:
    """There are no following lines."""

    def more(self, depth: int) -> list[Token]:
        """Give nothing."""
        return []


NO_SOURCE = NoSource()
Special = Callable[[Token], str]


def parse_definition(tokens: Sequence[Token]) -> Macro | None:
    """Read what follows ``#define``; None when it is not a definition."""
    if not tokens or tokens[0].kind != "i" or tokens[0].text == "defined":
        return None
    name = tokens[0].text
    if len(tokens) < 2 or tokens[1].text != "(" or tokens[1].space:
        return _macro(name, tokens[1:], None, None)
    close = next((index for index, token in enumerate(tokens) if token.text == ")"), None)
    parameters = None if close is None else _parameters([token.text for token in tokens[2:close]])
    return None if close is None or parameters is None else _macro(name, tokens[close + 1 :], *parameters)


def _parameters(words: list[str]) -> tuple[tuple[str, ...], str | None] | None:
    """Read ``a, b, rest...``: the parameters and the variadic one; None when malformed."""
    if not words:
        return (), None
    if words[-1] != "...":
        names, commas = words[::2], words[1::2]
        wrong = len(words) % 2 == 0 or any(comma != "," for comma in commas)
        return None if wrong or not all(map(str.isidentifier, names)) else (tuple(names), None)
    if len(words) > 1 and words[-2] != ",":
        fixed = _parameters(words[:-1])
        return None if fixed is None else (fixed[0], words[-2])
    fixed = _parameters(words[:-2])
    return None if fixed is None else ((*fixed[0], "__VA_ARGS__"), "__VA_ARGS__")


def _macro(name: str, body: Sequence[Token], parameters: tuple[str, ...] | None, variadic: str | None) -> Macro:
    first = [token._replace(space=False) for token in body[:1]]
    operators = {"##"} if parameters is None else {"##", "#", "__VA_OPT__"}
    plain = not any(token.text in operators for token in body)
    return Macro(name, (*first, *body[1:]), parameters, variadic, plain)


@frozen
class _Call:
    """A macro call: its raw arguments by parameter, and the tokens that the expansion is attributed to."""

    macro: Macro
    arguments: dict[str, list[Token]]
    origin: Origin
    expanded: dict[str, list[Token]] = field(factory=dict)


@define
class Expander:
    """Expands macros by the definitions in `macros`, which the directives keep changing.

    `special` computes the macros whose value depends on the place (``__LINE__``).
    """

    macros: dict[str, Macro]
    special: dict[str, Special]
    meter: Meter
    nesting: int = 0

    def expand(self, tokens: Sequence[Token], source: Source = NO_SOURCE, condition: bool = False) -> list[Token]:
        """Expand all macros in `tokens`; in a condition the operands of ``defined`` are left alone."""
        with self._nested():
            return self._expand(tokens, source, condition)

    @contextmanager
    def _nested(self) -> Iterator[None]:
        self.nesting += 1
        try:
            if self.nesting > _MAX_NESTING:
                raise ExpansionLimitError
            yield
        finally:
            self.nesting -= 1

    def _expand(self, tokens: Sequence[Token], source: Source, condition: bool) -> list[Token]:
        stack = list(reversed(tokens))
        done: list[Token] = []
        while stack:
            token = stack.pop()
            if token.kind != "i":
                done.append(token)
            elif condition and token.text == "defined":
                done += [token, *_pop_operand(stack)]
            elif token.text in self.special:
                done.append(self._compute(token))
            else:
                result = self._replacement(token, stack, source)
                if result is None:
                    done.append(token)
                else:
                    stack += reversed(result)
        return done

    def _compute(self, token: Token) -> Token:
        text = self.special[token.text](token)
        return Token(single(text) or "p", text, token.space, token.origin._replace(verbatim=False))

    def _replacement(self, token: Token, stack: list[Token], source: Source) -> list[Token] | None:
        """Give what `token` is replaced by, taking its arguments off the stack; None when it is no macro call."""
        macro = self.macros.get(token.text)
        if macro is None or token.text in token.hide:
            return None
        origin = token.origin._replace(verbatim=False)
        if macro.parameters is None:
            return self._finish(_Call(macro, {}, origin), token, token.hide | {macro.name})
        taken = _take_arguments(stack, source)
        if taken is None:
            self.meter.charge(len(stack) if stack and stack[-1].text == "(" else 0)
            return None
        arguments = _bind(macro, _split(taken, macro))
        if arguments is None:
            stack += reversed(taken)
            return None
        hide = (token.hide & taken[-1].hide) | {macro.name}
        return self._finish(_Call(macro, arguments, origin), token, hide)

    def _finish(self, call: _Call, token: Token, hide: frozenset[str]) -> list[Token]:
        result = self._substitute(call.macro.body, call)
        self.meter.spend(result)
        unions: dict[frozenset[str], frozenset[str]] = {frozenset(): hide}
        finished = []
        for kind, text, space, origin, hidden in result:
            if kind == _PLACEMARKER:
                continue
            if hidden not in unions:
                unions[hidden] = hidden | hide
            finished.append(Token(kind, text, space, origin, unions[hidden]))
        if finished:
            finished[0] = finished[0]._replace(space=token.space)
        return finished

    def _substitute(self, body: Sequence[Token], call: _Call) -> list[Token]:
        if call.macro.plain and not call.arguments:
            return [Token(token.kind, token.text, token.space, call.origin) for token in body]
        result: list[Token] = []
        index = 0
        pasting = False
        while index < len(body):
            if index and body[index].text == "##" and index + 1 < len(body):
                pasting = True
                index += 1
                continue
            following = body[index + 1].text if index + 1 < len(body) else ""
            operand, index = self._operand(body, index, call, raw=pasting or following == "##")
            if pasting and result and operand:
                _paste(result, operand, swallow_comma=body[index - 1].text == call.macro.variadic)
            else:
                result += operand
            pasting = False
            self.meter.spend(operand)
        return result

    def _operand(self, body: Sequence[Token], index: int, call: _Call, raw: bool) -> tuple[list[Token], int]:
        """Give what the body's tokens from `index` stand for, and the index after them."""
        token = body[index]
        following = body[index + 1].text if index + 1 < len(body) else ""
        if token.text == "#" and following in call.arguments:
            text = _quote(spell(call.arguments[following]))
            return [Token("s", text, token.space, call.origin)], index + 2
        if token.text == "__VA_OPT__" and following == "(" and call.macro.variadic:
            return self._optional(body, index, call, raw)
        if token.text in call.arguments:
            return self._argument(token, call, raw), index + 1
        return [Token(token.kind, token.text, token.space, call.origin)], index + 1

    def _argument(self, parameter: Token, call: _Call, raw: bool) -> list[Token]:
        if not raw:
            found = self._expanded(parameter.text, call)
        else:
            found = call.arguments[parameter.text] or [Token(_PLACEMARKER, "", False, call.origin)]
        return [token._replace(space=parameter.space) for token in found[:1]] + found[1:]

    def _expanded(self, name: str, call: _Call) -> list[Token]:
        if name not in call.expanded:
            call.expanded[name] = self.expand(call.arguments[name])
        return call.expanded[name]

    def _optional(self, body: Sequence[Token], index: int, call: _Call, raw: bool) -> tuple[list[Token], int]:
        """``__VA_OPT__(text)``: the text when there are variadic arguments, nothing otherwise."""
        end = _matching(body, index + 1)
        raw = raw or (end + 1 < len(body) and body[end + 1].text == "##")
        present = call.macro.variadic is not None and self._expanded(call.macro.variadic, call)
        with self._nested():
            text = self._substitute(body[index + 2 : end], call) if present else []
        return text or ([Token(_PLACEMARKER, "", False, call.origin)] if raw else []), end + 1


def _pop_operand(stack: list[Token]) -> list[Token]:
    count = 3 if stack and stack[-1].text == "(" else 1
    return [stack.pop() for _ in range(min(count, len(stack)))]


def _matching(tokens: Sequence[Token], opening: int) -> int:
    """Give the index of the parenthesis that closes the one at `opening`, or the number of tokens."""
    depth = 0
    for index in range(opening, len(tokens)):
        depth += (tokens[index].text == "(") - (tokens[index].text == ")")
        if depth == 0:
            return index
    return len(tokens)


def _take_arguments(stack: list[Token], source: Source) -> list[Token] | None:
    """Take ``( ... )`` off the stack, pulling further lines when needed; None (nothing taken) without one."""
    depth = 0
    index = len(stack)
    while True:
        while index > 0:
            index -= 1
            text = stack[index].text
            if depth == 0 and text != "(":
                return None
            depth += (text == "(") - (text == ")")
            if depth == 0:
                taken = stack[index:]
                del stack[index:]
                return taken[::-1]
        pulled = source.more(depth)
        if not pulled:
            return None
        stack[0:0] = reversed(pulled)
        index = len(pulled)


def _split(taken: list[Token], macro: Macro) -> list[list[Token]]:
    """Split the tokens of a call, parentheses included, at its top-level commas."""
    limit = len(macro.parameters or ()) if macro.variadic else len(taken)
    arguments: list[list[Token]] = [[]]
    depth = 0
    for token in taken[1:-1]:
        depth += (token.text == "(") - (token.text == ")")
        if token.text == "," and depth == 0 and len(arguments) < limit:
            arguments.append([])
        else:
            arguments[-1].append(token)
    return arguments


def _bind(macro: Macro, arguments: list[list[Token]]) -> dict[str, list[Token]] | None:
    """Give each parameter its argument; None when their numbers differ."""
    parameters = macro.parameters or ()
    if macro.variadic and len(arguments) == len(parameters) - 1:
        arguments = [*arguments, []]
    if not parameters and arguments == [[]]:
        arguments = []
    return dict(zip(parameters, arguments, strict=True)) if len(parameters) == len(arguments) else None


def _paste(result: list[Token], operand: list[Token], swallow_comma: bool) -> None:
    """Join the last token of `result` with the first of `operand` (``##``), in place."""
    left, right = result[-1], operand[0]
    if right.kind == _PLACEMARKER:
        if swallow_comma and left.text == ",":
            result.pop()
    elif left.kind == _PLACEMARKER:
        result[-1:] = operand
    elif (kind := single(left.text + right.text)) is None or (swallow_comma and left.text == ","):
        result += operand
    else:
        origin = (left if left.origin.verbatim else right).origin._replace(verbatim=False)
        result[-1] = Token(kind, left.text + right.text, left.space, origin, left.hide & right.hide)
        result += operand[1:]


def _quote(text: str) -> str:
    """Write a text as a string literal: quotes and backslashes inside literals are escaped."""
    parts: list[str] = []
    for token in tokenize(text, 0):
        literal = token.kind in "sc"
        escaped = token.text.replace("\\", "\\\\").replace('"', '\\"') if literal else token.text
        parts.append((" " if token.space and parts else "") + escaped)
    return '"' + "".join(parts) + '"'
