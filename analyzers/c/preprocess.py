"""A small, tolerant C preprocessor, so that the parser sees what the compiler would see.

It differs from a compiler's in its purpose: a file under edit, with missing headers and broken lines, still gives
the best text there is, each of its positions leads back to the source, and no input makes it slow or large.
Lines that no macro touches are passed on as they are; that is nearly all of them.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import define, field

from assay.analyzers.budget import Budget
from assay.analyzers.c.conditionals import Conditionals
from assay.analyzers.c.conditions import ConditionError
from assay.analyzers.c.environment import Environment, definition_tokens
from assay.analyzers.c.extensions import neutralise
from assay.analyzers.c.headers import Headers
from assay.analyzers.c.lexical import Token, tokenize
from assay.analyzers.c.linemap import Expanded
from assay.analyzers.c.macros import NO_SOURCE, ExpansionLimitError
from assay.analyzers.c.output import Output
from assay.analyzers.c.predefined import STANDARD_HEADERS
from assay.analyzers.c.rendering import render
from assay.analyzers.c.sources import Cursor, SourceFile, prepare

_DIRECTIVE = re.compile(r"\s*#\s*(\w*)")
_HEADER_NAME = re.compile(r'\s*(?:"([^"]+)"|<([^>]+)>)')
_EXTRA_TOTAL = 1024 * 1024  # characters of expansion beside eight times the input
_MAX_DEPTH = 50
_MAX_OPEN = 3  # a file that includes itself without a guard
_MAX_INCLUSIONS = 1000
_MAX_CHARACTERS = 8_000_000
_CALL_PATIENCE = 100_000  # lines that may be looked at in vain for the ends of macro calls


def preprocess(
    text: str,
    path: Path | None,
    read: Callable[[Path], str | None],
    defines: tuple[str, ...] = (),
    include_paths: tuple[Path, ...] = (),
    budget: Budget | None = None,
) -> Expanded:
    """Expand macros, inline local headers, and leave out what conditions exclude.

    `read` gives the text of a header or None; `defines` are NAME or NAME=VALUE.  Raises `CancelledError` and
    `DeadlineError` from `budget`; nothing in the text makes it raise.
    """
    unit = _Unit(Headers(read, include_paths), budget or Budget(), 8 * len(text) + _EXTRA_TOTAL)
    for definition in defines:
        unit.environment.define(definition_tokens(definition))
    unit.include(prepare(text, "" if path is None else str(path)), 0, None if path is None else path.parent)
    return unit.output.finish()


@define
class _Unit:
    """The state of one translation unit while it is read."""

    headers: Headers
    budget: Budget
    total: int
    output: Output = field(factory=Output)
    environment: Environment = field(init=False)
    open: list[SourceFile] = field(factory=list)
    once: set[str] = field(factory=set)
    inclusions: int = 0
    characters: int = 0
    patience: int = _CALL_PATIENCE

    def __attrs_post_init__(self) -> None:
        self.environment = Environment.start(self.total, self._file_name)

    def _file_name(self) -> str:
        name = Path(self.open[-1].path).name if self.open else ""
        return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'

    def include(self, source: SourceFile, file: int, folder: Path | None) -> None:
        """Read one file to its end."""
        self.open.append(source)
        self.output.go_on(file, 0)
        _Reading(self, Cursor(source), file, folder).run()
        self.open.pop()

    def refusal(self, source: SourceFile) -> str | None:
        """Say why a header is not read at this point: "" for an ordinary reason, None when it is read."""
        if source.path in self.once or (source.guard and self.environment.is_defined(source.guard)):
            return ""
        if sum(opened.path == source.path for opened in self.open) >= _MAX_OPEN:
            return "it includes itself. Give it an include guard"
        if len(self.open) > _MAX_DEPTH:
            return f"includes are nested more than {_MAX_DEPTH} deep. Give the headers include guards"
        if self.inclusions >= _MAX_INCLUSIONS:
            return f"more than {_MAX_INCLUSIONS} headers were read before it. Give the headers include guards"
        if self.characters > _MAX_CHARACTERS:
            return f"the headers before it have more than {_MAX_CHARACTERS} characters. Include less"
        return None


@define
class _Reading:
    """One file being read: its lines go to the output, its directives change the unit."""

    unit: _Unit
    cursor: Cursor
    file: int
    folder: Path | None
    conditionals: Conditionals = field(factory=Conditionals)
    call_end: int = -1

    def run(self) -> None:
        """Read to the end of the file."""
        while not self.cursor.at_end:
            self.unit.budget.check()
            if self.cursor.at_directive:
                self._directive_lines()
            else:
                self._text_lines(self.cursor.next_directive())
        for line in self.conditionals.open_lines():
            self.note("The `#if` that starts here has no `#endif`, so the rest of the file belongs to it.", line)
        if self.cursor.source.unterminated:
            last = len(self.cursor.source.lines) - 1
            self.note("A comment is not closed before the end of the file. Close it with `*/`.", last)

    def note(self, reason: str, line: int, key: str | None = None) -> None:
        """Record something left out at `line` of this file."""
        self.unit.output.note(reason, self.file, line, key)

    # Text

    def _text_lines(self, end: int) -> None:
        """Pass on or expand the lines before `end`."""
        lines, output = self.cursor.source.lines, self.unit.output.lines
        chunk = lines[self.cursor.next : end]
        if not self.conditionals.active:
            output += [""] * len(chunk)
            self.cursor.next = end
        elif self._is_plain("\n".join(chunk)):
            output += chunk
            self.cursor.next = end
        else:
            while self.cursor.next < end:
                line = lines[self.cursor.next]
                if self._is_plain(line):
                    output.append(line)
                    self.cursor.next += 1
                else:
                    self._expand_line()

    def _is_plain(self, text: str) -> bool:
        return "\\\n" not in text and not text.endswith("\\") and not self.unit.environment.touches(text)

    def _expand_line(self) -> None:
        """Expand a logical line, and the following ones as far as a macro call goes on in them."""
        self.unit.budget.check()
        start = self.cursor.next
        tokens = self.cursor.take_tokens()
        own_end = self.cursor.next
        split = own_end > start + 1 and self.cursor.splits_word(start)
        expanded = self._expanded(tokens, start)
        if expanded is None or (expanded == tokens and self.cursor.next == own_end and not split):
            self._pass_on(start)
            return
        text, marks = render(expanded, tokens[0].origin.column if tokens else 0)
        self.unit.output.change(neutralise(text), marks)
        self.unit.output.lines += [""] * (self.cursor.next - start - 1)

    def _expanded(self, tokens: list[Token], line: int) -> list[Token] | None:
        """Expand the tokens of a line; None when that would grow too large."""
        try:
            return self.unit.environment.expand(tokens, self)
        except ExpansionLimitError:
            reason = "The macros on this line expand to too much text, so the line is read unexpanded. Simplify them."
            self.note(reason, line)
            return None

    def _pass_on(self, start: int) -> None:
        """Output the lines from `start` to the cursor as they are, except for directives among them."""
        lines, output = self.cursor.source.lines, self.unit.output.lines
        inside = False
        for number in range(start, self.cursor.next):
            inside = inside or (number > start and lines[number].lstrip().startswith("#"))
            output.append("" if inside else lines[number])
            inside = inside and lines[number].endswith("\\")

    def more(self, depth: int) -> list[Token]:
        """Give the tokens of the next line to a macro call, if the call is closed in the lines that follow."""
        if not self._call_goes_on(depth):
            return []
        while not self.cursor.at_end:
            if self.cursor.at_directive:
                if self._directive() is not None:
                    self.note("An `#include` inside a macro call was left out. Move it out.", self.cursor.next - 1)
            elif not self.conditionals.active:
                self.cursor.next = self.cursor.next_directive()
            elif tokens := self.cursor.take_tokens():
                return [tokens[0]._replace(space=True), *tokens[1:]]
        return []

    def _call_goes_on(self, depth: int) -> bool:
        if self.cursor.next <= self.call_end:
            return True
        found, looked_at = self.cursor.closes(depth, self.unit.patience)
        if found:
            self.call_end = self.cursor.next + looked_at - 1
        else:
            self.unit.patience -= looked_at
        return found

    # Directives

    def _directive_lines(self) -> None:
        start = self.cursor.next
        header = self._directive()
        self.unit.output.lines += [""] * (self.cursor.next - start)
        if header is not None:
            self.unit.inclusions += 1
            self.unit.characters += header.size
            self.unit.include(header, self.unit.output.file(header.path), Path(header.path).parent)
            self.unit.output.go_on(self.file, self.cursor.next)

    def _directive(self) -> SourceFile | None:
        """Carry out one directive; give the header that it asks to be read here."""
        line = self.cursor.next
        text = self.cursor.take_logical()
        match = _DIRECTIVE.match(text)
        name, rest = (match[1], text[match.end() :]) if match is not None else ("", "")
        if name in _CONDITIONALS:
            _CONDITIONALS[name](self, rest, line)
        elif self.conditionals.active:
            if name in ("include", "import", "include_next"):
                return self._included(rest, line, once=name == "import")
            if name in _PLAIN_DIRECTIVES:
                _PLAIN_DIRECTIVES[name](self, rest, line)
        return None

    def _if(self, rest: str, line: int) -> None:
        self.conditionals.open(line, self.conditionals.active and self._holds(rest, line))

    def _ifdef(self, rest: str, line: int) -> None:
        self.conditionals.open(line, self._is_defined(rest))

    def _ifndef(self, rest: str, line: int) -> None:
        self.conditionals.open(line, not self._is_defined(rest))

    def _elif(self, rest: str, line: int) -> None:
        holds = self.conditionals.wants_condition and self._holds(rest, line)
        self._otherwise(holds, line, "elif")

    def _elifdef(self, rest: str, line: int) -> None:
        self._otherwise(self._is_defined(rest), line, "elifdef")

    def _elifndef(self, rest: str, line: int) -> None:
        self._otherwise(not self._is_defined(rest), line, "elifndef")

    def _else(self, rest: str, line: int) -> None:
        self._otherwise(True, line, "else")

    def _otherwise(self, holds: bool, line: int, name: str) -> None:
        if not self.conditionals.otherwise(holds, last=name == "else"):
            self.note(f"An `#{name}` stands outside of any `#if`, so it was ignored. Remove it or add the `#if`.", line)

    def _endif(self, rest: str, line: int) -> None:
        if not self.conditionals.close():
            self.note("An `#endif` ends no `#if`, so it was ignored. Remove it or add the `#if`.", line)

    def _is_defined(self, rest: str) -> bool:
        words = rest.split(maxsplit=1)
        return bool(words) and self.unit.environment.is_defined(words[0])

    def _holds(self, rest: str, line: int) -> bool:
        tokens = tokenize(rest, line)
        try:
            return self.unit.environment.holds(tokens, self._has_header)
        except ConditionError as error:
            why = str(error)
        except ExpansionLimitError:
            why = "its macros expand to too much text"
        self.note(f"The condition of a directive was taken as false: {why}. Correct the expression.", line)
        return False

    def _define(self, rest: str, line: int) -> None:
        self.unit.environment.define(tokenize(rest, line))

    def _undef(self, rest: str, line: int) -> None:
        self.unit.environment.undefine(rest.strip())

    def _pragma(self, rest: str, line: int) -> None:
        if rest.split() == ["once"]:
            self.unit.once.add(self.cursor.source.path)

    def _error(self, rest: str, line: int) -> None:
        self.note(f"The file stops compilation here (`#error {rest.strip()[:100]}`); the check went on.", line)

    # Headers

    def _included(self, rest: str, line: int, once: bool) -> SourceFile | None:
        """Find the header to read for an ``#include``, or note why there is none."""
        name, quoted = self._header_name(rest, line)
        source = self.unit.headers.find(name, self.folder if quoted else None) if name else None
        if source is None:
            if name and quoted and name not in STANDARD_HEADERS:
                self._missing(name, line)
            return None
        refusal = self.unit.refusal(source)
        if refusal:
            self.note(f"The header “{name}” was left out here: {refusal}.", line)
        if once:
            self.unit.once.add(source.path)
        return source if refusal is None else None

    def _missing(self, name: str, line: int) -> None:
        reason = (
            f"The header “{name}” was not found, so what it declares is unknown."
            " Add its folder to `races.include-paths`."
        )
        self.note(reason, line)

    def _header_name(self, rest: str, line: int) -> tuple[str, bool]:
        """Read ``"name"`` or ``<name>``, perhaps after expansion; ("", False) when it is neither."""
        match = _HEADER_NAME.match(rest) or _HEADER_NAME.match(self._expanded_text(rest, line))
        if match is None:
            return "", False
        return match[1] or match[2].strip(), match[1] is not None

    def _expanded_text(self, rest: str, line: int) -> str:
        try:
            return render(self.unit.environment.expand(tokenize(rest, line), NO_SOURCE), 0)[0]
        except ExpansionLimitError:
            return ""

    def _has_header(self, tokens: Sequence[Token]) -> bool:
        name, quoted = self._header_name(render(tokens, 0)[0], 0)
        folder = self.folder if quoted else None
        return bool(name) and (name in STANDARD_HEADERS or self.unit.headers.find(name, folder) is not None)


_Handler = Callable[[_Reading, str, int], None]
_CONDITIONALS: dict[str, _Handler] = {
    "if": _Reading._if,
    "ifdef": _Reading._ifdef,
    "ifndef": _Reading._ifndef,
    "elif": _Reading._elif,
    "elifdef": _Reading._elifdef,
    "elifndef": _Reading._elifndef,
    "else": _Reading._else,
    "endif": _Reading._endif,
}
_PLAIN_DIRECTIVES: dict[str, _Handler] = {
    "define": _Reading._define,
    "undef": _Reading._undef,
    "pragma": _Reading._pragma,
    "error": _Reading._error,
}
