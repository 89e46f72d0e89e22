"""The macros that are defined at a point of a translation unit, and what they make of a line or a condition."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from attrs import define

from assay.analyzers.c.conditions import evaluate
from assay.analyzers.c.lexical import Token, tokenize
from assay.analyzers.c.macros import Expander, Macro, Meter, Source, parse_definition
from assay.analyzers.c.predefined import DEFINITIONS

_WORD = re.compile(r"[^\W\d]\w*")
_LINE_LIMIT = 128 * 1024  # characters that the expansion of one line may produce on the way
_HAS_OPERATORS = frozenset({"__has_attribute", "__has_builtin", "__has_c_attribute", "__has_embed"})
_HAS_INCLUDE = frozenset({"__has_include", "__has_include_next"})
_ALWAYS_DEFINED = _HAS_OPERATORS | _HAS_INCLUDE


@define
class Environment:
    """The defined macros; `names` are all words that can be replaced, for a quick look at a text."""

    expander: Expander
    names: set[str]

    @classmethod
    def start(cls, total: int, file_name: Callable[[], str]) -> "Environment":
        """Give an environment with the compiler's macros whose expansions may produce `total` characters.

        `file_name` gives the value of ``__FILE__`` at the time of the call.
        """
        count = iter(range(1 << 62))
        special: dict[str, Callable[[Token], str]] = {
            "__LINE__": lambda token: str(token.origin.line + 1),
            "__FILE__": lambda token: file_name(),
            "__COUNTER__": lambda token: str(next(count)),
        }
        macros = dict(_predefined())
        return cls(Expander(macros, special, Meter(_LINE_LIMIT, total)), {*special, *macros})

    def define(self, tokens: Sequence[Token]) -> None:
        """Carry out ``#define``; what is no definition is left out, as the compiler would reject it."""
        macro = parse_definition(tokens)
        if macro is not None and macro.name not in self.expander.special:
            self.expander.macros[macro.name] = macro
            self.names.add(macro.name)

    def undefine(self, name: str) -> None:
        """Carry out ``#undef``."""
        if self.expander.macros.pop(name, None) is not None:
            self.names.discard(name)

    def is_defined(self, name: str) -> bool:
        """Tell whether a macro of this name exists."""
        return name in self.names or name in _ALWAYS_DEFINED

    def touches(self, text: str) -> bool:
        """Tell whether any word of `text` may be replaced."""
        return not self.names.isdisjoint(_WORD.findall(text))

    def expand(self, tokens: Sequence[Token], source: Source) -> list[Token]:
        """Expand a line of the program; raise `ExpansionLimitError` when it would grow too large."""
        self.expander.meter.line = _LINE_LIMIT + 8 * sum(len(token.text) for token in tokens)
        return self.expander.expand(tokens, source)

    def holds(self, tokens: Sequence[Token], has_header: Callable[[Sequence[Token]], bool]) -> bool:
        """Evaluate the condition of ``#if``; raise `ConditionError` or `ExpansionLimitError` when that fails."""
        self.expander.meter.line = _LINE_LIMIT
        asked = _replace_queries(tokens, self.expander.macros, has_header)
        return evaluate(self._resolve_defined(self.expander.expand(asked, condition=True)))

    def _resolve_defined(self, tokens: Sequence[Token]) -> list[Token]:
        resolved: list[Token] = []
        index = 0
        while index < len(tokens):
            token = tokens[index]
            index += 1
            if token.text != "defined":
                resolved.append(token)
                continue
            parenthesised = index < len(tokens) and tokens[index].text == "("
            index += parenthesised
            name = tokens[index].text if index < len(tokens) else ""
            index += 1 + (parenthesised and index + 1 < len(tokens) and tokens[index + 1].text == ")")
            resolved.append(_number(token, self.is_defined(name)))
        return resolved


def definition_tokens(definition: str) -> list[Token]:
    """Read NAME (which means 1) or NAME=VALUE as what follows ``#define``."""
    name, equals, value = definition.partition("=")
    return tokenize(f"{name} {value if equals else 1}", 0)


@cache
def _predefined() -> dict[str, Macro]:
    macros = (parse_definition(definition_tokens(definition)) for definition in DEFINITIONS)
    return {macro.name: macro for macro in macros if macro is not None}


def _number(token: Token, truth: bool) -> Token:
    return Token("n", str(int(truth)), token.space, token.origin)


def _replace_queries(
    tokens: Sequence[Token], macros: Mapping[str, object], has_header: Callable[[Sequence[Token]], bool]
) -> list[Token]:
    """Answer ``__has_include(...)`` and its kin before macros are expanded; the other ones are never true."""
    replaced: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        following = tokens[index + 1].text if index + 1 < len(tokens) else ""
        index += 1
        if token.text not in _ALWAYS_DEFINED or token.text in macros or following != "(":
            replaced.append(token)
            continue
        end = next((number for number in range(index, len(tokens)) if tokens[number].text == ")"), len(tokens))
        replaced.append(_number(token, token.text in _HAS_INCLUDE and has_header(tokens[index + 1 : end])))
        index = end + 1
    return replaced
