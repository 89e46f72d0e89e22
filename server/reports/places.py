"""What every report format shares: 1-based regions, shown paths, and texts read again for excerpts."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from attrs import Factory, define

from assay.analyzers.findings import Finding, Severity, Span
from assay.features.comments import Lines
from assay.server.checking.run import CheckedFile, Run
from assay.server.discovery import shown
from assay.server.sources import read_neighbour

MAX_BYTES = 50_000_000
SEVERITIES = tuple(Severity)


def region(span: Span) -> dict[str, int]:
    """Give a span as 1-based numbers; the end column is one past the last character, counted in code points."""
    return {
        "line": span.start.line + 1,
        "column": span.start.column + 1,
        "end_line": span.end.line + 1,
        "end_column": span.end.column + 1,
    }


@cache
def shown_path(path: str) -> str:
    """Give the path to show for one that a finding mentions."""
    return shown(Path(path))


def path_of(file: CheckedFile, path: str | None) -> str:
    """Give the shown path of a place in a finding of `file`."""
    return file.shown if path is None else shown_path(path)


def findings_of(run: Run) -> list[tuple[CheckedFile, Finding]]:
    """List every finding with its file, in order."""
    return [(file, finding) for file in run.files for finding in file.report.findings]


def skips_of(run: Run) -> list[tuple[str, str, Span | None]]:
    """List (shown path, reason, place) of everything that was passed over, in order."""
    passed = [(skip.shown, skip.reason, None) for skip in run.passed_over]
    inside = [(path_of(file, skip.path), skip.reason, skip.span) for file in run.files for skip in file.report.skipped]
    return [*passed, *inside]


def counts_of(run: Run) -> dict[str, int]:
    """Count what the summary tells."""
    findings = [finding for _, finding in findings_of(run)]
    by_severity = {str(severity): sum(f.severity is severity for f in findings) for severity in SEVERITIES}
    return {
        "files": sum(file.analysed for file in run.files),
        "findings": len(findings),
        **by_severity,
        "skipped": len(skips_of(run)),
        "suppressed": sum(file.report.suppressed for file in run.files),
        "baselined": sum(file.baselined for file in run.files),
    }


@define
class Texts:
    """Reads files again for their lines; a file that vanished meanwhile has none."""

    _known: dict[Path, Lines | None] = Factory(dict)
    _last: Lines = Factory(lambda: Lines(""))

    def lines(self, file: CheckedFile, path: str | None = None) -> Lines | None:
        """Give the lines of the file itself, or of another one that a finding mentions."""
        if path is None and file.text is not None:
            return self._own(file.text)
        place = file.path if path is None else Path(path)
        if place not in self._known:
            text = read_neighbour(place, MAX_BYTES)
            self._known[place] = None if text is None else Lines(text)
        return self._known[place]

    def _own(self, text: str) -> Lines:
        if self._last.text is not text:
            self._last = Lines(text)
        return self._last

    def line_of(self, file: CheckedFile) -> Callable[[str | None, int], str]:
        """Give the function that gives a line of the file, or of another one that its findings mention."""

        def line_of(path: str | None, number: int) -> str:
            lines = self.lines(file, path)
            return "" if lines is None else lines.line(number)

        return line_of
