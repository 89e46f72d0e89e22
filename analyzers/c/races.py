"""Data races of C source text: preprocess, lower, analyse, and map the result back to the source."""

import re
from collections.abc import Callable
from pathlib import Path

from attrs import frozen

from assay.analyzers.budget import Budget
from assay.analyzers.c import library
from assay.analyzers.c.linemap import Expanded
from assay.analyzers.c.lowering import lower_text
from assay.analyzers.c.preprocess import preprocess
from assay.analyzers.findings import Skipped, Span
from assay.analyzers.races.analysis import analyse
from assay.analyzers.races.deadlock_report import report_deadlocks
from assay.analyzers.races.explain import explain
from assay.analyzers.races.ir import Site
from assay.analyzers.races.outcome import Races
from assay.analyzers.races.report import report

_CONCURRENT = re.compile(r"\b(?:" + "|".join(map(re.escape, (*library.SPAWN, *library.ACQUIRE))) + r")\b")


@frozen
class ExpandedSource:
    """The analysed text by lines, those of the document, and the way from a site to the source."""

    expanded: Expanded
    lines: tuple[str, ...]
    document: tuple[str, ...] = ()
    spawn: str = "`pthread_create`"

    def text(self, site: Site) -> str:
        """Give the analysed text at a site (one line of it)."""
        if site.line >= len(self.lines):
            return ""
        line = self.lines[site.line].encode()
        return line[site.column : site.end_column if site.end_line == site.line else None].decode(errors="replace")

    def line(self, site: Site) -> str:
        """Name the source line of a site."""
        file, line = self.expanded.source_line(site.line)
        return f"{line + 1} of {Path(self.expanded.files[file]).name}" if file else str(line + 1)

    def span(self, site: Site) -> tuple[str | None, Span]:
        """Give the (path or None for the document, span) of a site."""
        file, span = self.expanded.locate_span(
            site.line, self._column(site.line, site.column), site.end_line, self._column(site.end_line, site.end_column)
        )
        return (self.expanded.files[file] if file else None), span

    def inclusion(self, site: Site) -> Span:
        """Give the line of the document whose ``#include`` brought a site in."""
        line = self.expanded.inclusion(site.line)
        return Span.of(line, 0, line, len(self.document[line]) if line < len(self.document) else 0)

    def _column(self, line: int, column: int) -> int:
        """Turn a byte column of the parser into code points."""
        if line >= len(self.lines) or self.lines[line].isascii():
            return column
        return len(self.lines[line].encode()[:column].decode(errors="replace"))


def find_races(
    text: str,
    path: Path | None,
    read: Callable[[Path], str | None],
    defines: tuple[str, ...],
    include_paths: tuple[Path, ...],
    budget: Budget,
) -> Races:
    """Find the data races of a C document; a text that starts no thread and takes no lock has none."""
    expanded = preprocess(text, path, read, defines, include_paths, budget)
    source = ExpandedSource(expanded, tuple(expanded.text.split("\n")), tuple(text.splitlines()))
    if not _CONCURRENT.search(expanded.text):
        return Races((), source, expanded.skipped)
    lowered = lower_text(expanded.text, budget)
    analysis = analyse(lowered.program, budget)
    skipped = [*expanded.skipped, *(_skipped(source, reason, line) for reason, line in lowered.skipped)]
    skipped += [Skipped(reason) for reason in analysis.limits]
    hazards = tuple(report_deadlocks(analysis, source))
    accounts = tuple(explain(analysis, source, budget))
    return Races(tuple(report(analysis, source)), source, tuple(skipped), hazards, accounts)


def _skipped(source: ExpandedSource, reason: str, line: int) -> Skipped:
    path, span = source.span(Site(line, 0, line, 0))
    return Skipped(reason, span, path)
