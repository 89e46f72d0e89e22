"""The growing result of preprocessing: lines, the map back to the source, and what was left out."""

from attrs import define, field

from assay.analyzers.c.linemap import Expanded, Mark, Run
from assay.analyzers.findings import Skipped, Span


@define
class Output:
    """Collects output lines in order; file 0 is the document."""

    lines: list[str] = field(factory=list)
    runs: list[Run] = field(factory=list)
    changed: dict[int, tuple[Mark, ...]] = field(factory=dict)
    files: list[str] = field(factory=lambda: [""])
    notes: dict[str, Skipped] = field(factory=dict)

    def file(self, path: str) -> int:
        """Give the index of a header, a new one when it was not seen before."""
        if path not in self.files[1:]:
            self.files.append(path)
        return self.files.index(path, 1)

    def go_on(self, file: int, line: int) -> None:
        """Say that the next output line is line `line` of `file`."""
        self.runs.append(Run(len(self.lines), file, line))

    def change(self, text: str, marks: tuple[Mark, ...]) -> None:
        """Add a line in which something was expanded."""
        self.changed[len(self.lines)] = marks
        self.lines.append(text)

    def note(self, reason: str, file: int, line: int, key: str | None = None) -> None:
        """Record something that was left out, once for each `key` (the reason itself without one)."""
        path = self.files[file] if file else None
        self.notes.setdefault(key or reason, Skipped(reason, Span.of(line, 0, line, 0), path))

    def finish(self) -> Expanded:
        """Give the result."""
        return Expanded(
            "\n".join(self.lines), tuple(self.files), tuple(self.notes.values()), tuple(self.runs), self.changed
        )
