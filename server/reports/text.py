"""The report for people: what was found, where, and why, with the source lines it is about."""

from collections.abc import Iterator, Sequence
from typing import TextIO

from attrs import frozen

from assay.analyzers.findings import Evidence, Finding, Related, Span
from assay.server.checking.run import CheckedFile, Run
from assay.server.reports.cells import clean, width_of
from assay.server.reports.changes import fix_lines
from assay.server.reports.excerpts import Mark, excerpt
from assay.server.reports.paint import Line, Symbols, hanging, is_terminal, symbols_for, width_for, wrapped
from assay.server.reports.places import SEVERITIES, Texts, counts_of, findings_of, path_of, skips_of
from assay.server.reports.words import counted

MAX_DETAIL_LINES = 12


@frozen
class Style:
    """How wide to draw, with which characters; `diff` shows what fixes change, `quiet` leaves out all but findings.

    `fold` breaks the lines that name a place too, which other programs expect to find whole.
    """

    width: int
    symbols: Symbols
    diff: bool = False
    quiet: bool = False
    fold: bool = False

    @classmethod
    def of(cls, stream: TextIO, diff: bool = False, quiet: bool = False) -> "Style":
        """Give the style that suits a stream."""
        return cls(width_for(stream), symbols_for(stream), diff, quiet, is_terminal(stream))


def lines_of(run: Run, style: Style) -> Iterator[Line]:
    """Give the whole report line by line."""
    texts = Texts()
    for file, finding in findings_of(run):
        yield from _finding(file, finding, texts, style)
        yield []
    yield from _unread(run, style) if style.quiet else _closing(run, style)


def _unread(run: Run, style: Style) -> Iterator[Line]:
    """Tell only what was asked for by name and cannot be read: it decides the exit status."""
    for path in run.passed_over:
        if path.fatal:
            yield from _skip(path.shown, path.reason, None, style)
    for file in run.files:
        for skip in file.report.skipped if file.fatal else ():
            yield from _skip(file.shown, skip.reason, None, style)


def _closing(run: Run, style: Style) -> Iterator[Line]:
    skips = skips_of(run)
    for path, reason, span in skips:
        yield from _skip(path, reason, span, style)
    if skips:
        yield []
    yield _summary(run)


def _finding(file: CheckedFile, finding: Finding, texts: Texts, style: Style) -> Iterator[Line]:
    start = finding.span.start
    head: Line = [
        (f"{clean(file.shown)}:{start.line + 1}:{start.column + 1}", "path"),
        (": ", ""),
        (f"{finding.severity}[{finding.code}]", str(finding.severity)),
        (": ", ""),
    ]
    yield from told(head, clean(finding.message), "message", style)
    yield from excerpts(file, finding.span, finding.related, texts, style)
    for evidence in finding.evidence:
        yield from _evidence(finding, evidence, style.width)
    for fix in finding.fixes:
        checked = f"{fix.title} ({fix.verification.result}: {fix.verification.method})"
        yield from note("fix", checked, style.width)
        if style.diff:
            yield from fix_lines(file, fix, texts)
    if not style.quiet:
        yield from note("help", f"assay explain {finding.code}", style.width)


def excerpts(file: CheckedFile, span: Span, others: Sequence[Related], texts: Texts, style: Style) -> Iterator[Line]:
    """Draw the file itself first, then each other file that related places are in."""
    primary = Mark(span, "", "primary", "^")
    here = [one for one in others if one.path is None]
    yield from _drawn(file, None, [primary, *map(_mark, here)], texts, style)
    for path in dict.fromkeys(one.path for one in others if one.path is not None):
        there = [one for one in others if one.path == path]
        yield [("  --> ", "gutter"), (_first_place(file, there), "path")]
        yield from _drawn(file, path, list(map(_mark, there)), texts, style)


def _mark(related: Related) -> Mark:
    return Mark(related.span, related.message, "secondary", "-")


def _first_place(file: CheckedFile, related: list[Related]) -> str:
    first = min(related, key=lambda one: one.span)
    return f"{clean(path_of(file, first.path))}:{first.span.start.line + 1}:{first.span.start.column + 1}"


def _drawn(file: CheckedFile, path: str | None, marks: list[Mark], texts: Texts, style: Style) -> Iterator[Line]:
    lines = texts.lines(file, path)
    inside = [mark for mark in marks if lines is not None and mark.span.start.line < len(lines)]
    if lines is not None and inside:
        yield from excerpt(lines, inside, style.width, style.symbols)
    for mark in marks:
        if mark not in inside and mark.label:  # the text is gone, or changed since: say the words at least
            yield from note("also", f"line {mark.span.start.line + 1}: {mark.label}", style.width)


def _evidence(finding: Finding, evidence: Evidence, width: int) -> Iterator[Line]:
    yield from note("why", f"{evidence.summary} ({finding.confidence})", width)
    details = [line for line in wrapped(evidence.details, width - 9) if line]
    for line in details[:MAX_DETAIL_LINES]:
        yield [("         " + clean(line), "")]
    if len(details) > MAX_DETAIL_LINES:
        yield [(f"         ({len(details) - MAX_DETAIL_LINES} more lines with --format json)", "dim")]
    if evidence.reproduce:
        yield from note("reproduce", evidence.reproduce, width)


def note(word: str, text: str, width: int) -> Iterator[Line]:
    """Give a remark below an excerpt, wrapped."""
    indent = len(word) + 6
    first, *rest = wrapped(text, max(40, width - indent)) or [""]
    yield [("  = ", "gutter"), (word, "note"), (": ", ""), (clean(first), "")]
    for line in rest:
        yield [(" " * indent + clean(line), "")]


def _skip(path: str, reason: str, span: Span | None, style: Style) -> Iterator[Line]:
    place = f"{path}:{span.start.line + 1}" if span else path
    word = "incomplete" if span else "skipped"  # the rest of the file was checked
    yield from told([(clean(place), "path"), (": ", ""), (word, "information"), (": ", "")], clean(reason), "", style)


def told(head: Line, text: str, name: str, style: Style) -> Iterator[Line]:
    """Say `text` behind the place that `head` names, and below it what does not fit there."""
    taken = sum(width_of(character) for piece, _ in head for character in piece)
    if not style.fold or taken + sum(map(width_of, text)) <= style.width:
        yield [*head, (text, name)]
        return
    first, *rest = hanging(text, style.width, taken)
    yield [*head, (first, name)]
    yield from ([(line, name)] for line in rest)


def _summary(run: Run) -> Line:
    counts = counts_of(run)
    by_severity = [counted(counts[severity], severity) for severity in SEVERITIES if counts[severity]]
    found = f"{counted(counts['findings'], 'finding')} ({', '.join(by_severity)})" if by_severity else "no findings"
    parts = [found]
    inside = sum(span is not None for _path, _reason, span in skips_of(run))
    others = {
        "skipped": counts["skipped"] - inside,
        "incomplete": inside,
        "suppressed": counts["suppressed"],
        "in the baseline": counts["baselined"],
    }
    parts += [f"{number} {word}" for word, number in others.items() if number]
    style = "warning" if counts["findings"] else "good"
    return [
        (f"{counted(counts['files'], 'file')} checked in {run.seconds:.2f} s: ", ""),
        (parts[0], style),
        ("".join(f", {part}" for part in parts[1:]), ""),
    ]
