"""What simple methods give on the same cases, to read the analysis's figures against.

`shared_globals` is a lexical race detector of the kind one writes in an afternoon: any two accesses of one global from
functions that different threads run, at least one of them a write; locks, joins and pointers are not looked at.
"""

import re
from collections.abc import Iterable, Iterator

from attrs import frozen

from assay.analyzers.c.lexical import blank_comments, normalise
from assay.server.bench.corpus import Pair

_WORD = re.compile(r"[A-Za-z_]\w*")
_FUNCTION = re.compile(r"([A-Za-z_]\w*)\s*\([^;{}]*\)\s*$")
_CREATE = re.compile(r"\b(?:pthread_create|thrd_create)\s*\(([^;]*)")
_LOOP = re.compile(r"\b(?:for|while)\b")
_DECLARATOR = re.compile(r"([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*(?:=|$)")
_NOT_DATA = re.compile(r"\b(?:typedef|extern|pthread_\w+|_Atomic|atomic_\w+|sem_t|mtx_t|cnd_t)\b|\(")
_INITIALISER = re.compile(r"=[^,]*")
_BRACES = re.compile(r"\{[^{}]*\}")
_WRITE_AFTER = re.compile(r"\s*(?:\[[^\]]*\]\s*)*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))")
_WRITE_BEFORE = re.compile(r"(?:\+\+|--)\s*$")


@frozen
class _Function:
    name: str
    line: int
    body: str


@frozen
class _Access:
    line: int
    write: bool


def warn_on_nothing(text: str) -> frozenset[Pair]:
    """Report no race in any program."""
    return frozenset()


def shared_globals(text: str) -> frozenset[Pair]:
    """Report every two accesses of a global by functions that may run in two threads."""
    functions, outside = _split(blank_comments(normalise(text))[0])
    by_name = {function.name: function for function in functions}
    names = frozenset(_globals(outside))
    threads = list(_threads(functions, by_name))
    reached = [_reachable(start, by_name) for start in threads]
    accesses = {function.name: _accesses(function, names) for function in functions}
    pairs: set[Pair] = set()
    for name in names:
        used = [[access for member in members for access in accesses[member].get(name, ())] for members in reached]
        for number, first in enumerate(used):
            for second in used[number + 1 :]:
                pairs.update(_conflicts(first, second))
    return frozenset(pairs)


def _conflicts(first: Iterable[_Access], second: list[_Access]) -> Iterator[Pair]:
    for a in first:
        for b in second:
            if a.write or b.write:
                yield min(a.line, b.line), max(a.line, b.line)


def _threads(functions: list[_Function], by_name: dict[str, _Function]) -> Iterator[str]:
    """Name the functions that threads start in, twice where several threads may run one."""
    if "main" in by_name:
        yield "main"
    for function in functions:
        for match in _CREATE.finditer(function.body):
            several = _LOOP.search(function.body, 0, match.start()) is not None
            for word in _WORD.findall(match[1]):
                if word in by_name:
                    yield from [word] * (1 + several)


def _reachable(start: str, by_name: dict[str, _Function]) -> set[str]:
    """Follow calls, which are mentions of a function's name; a thread's function is not called by its creator."""
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            words = set(_WORD.findall(_CREATE.sub("", by_name[name].body)))
            waiting += sorted(words & by_name.keys())
    return reached


def _accesses(function: _Function, names: frozenset[str]) -> dict[str, list[_Access]]:
    found: dict[str, list[_Access]] = {}
    line, counted = function.line, 0
    for match in _WORD.finditer(function.body):
        if match[0] in names:
            line += function.body.count("\n", counted, match.start())
            counted = match.start()
            before = function.body[max(0, match.start() - 8) : match.start()]
            write = _WRITE_AFTER.match(function.body, match.end()) or _WRITE_BEFORE.search(before)
            found.setdefault(match[0], []).append(_Access(line, write is not None))
    return found


def _globals(outside: Iterable[str]) -> Iterator[str]:
    """Name the variables that are declared outside of functions."""
    for statement in outside:
        if statement.rstrip().endswith("}") and "=" not in statement:
            continue  # only a type
        declaration = _INITIALISER.sub("=", _without_braces(statement))
        if _NOT_DATA.search(declaration) is None:
            matches = (_DECLARATOR.search(part.strip()) for part in declaration.split(","))
            yield from (match[1] for match in matches if match is not None)


def _without_braces(statement: str) -> str:
    while (shorter := _BRACES.sub(" ", statement)) != statement:
        statement = shorter
    return statement


def _split(text: str) -> tuple[list[_Function], list[str]]:
    """Cut a file into its functions and the statements outside of them, by braces alone."""
    text = "\n".join("" if line.lstrip().startswith("#") else line for line in text.split("\n"))
    functions, outside = [], []
    depth = start = body = 0
    for match in re.finditer(r"[{};]", text):
        if match[0] == "{":
            body = match.end() if depth == 0 else body
            depth += 1
        elif match[0] == "}":
            depth = max(depth - 1, 0)
            head = _FUNCTION.search(text[start : body - 1]) if depth == 0 else None
            if head is not None:
                functions.append(_Function(head[1], 1 + text.count("\n", 0, body), text[body : match.start()]))
                start = match.end()
        elif depth == 0:
            outside.append(text[start : match.start()])
            start = match.end()
    return functions, outside
