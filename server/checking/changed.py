"""Which lines changed since a revision, according to git.

A finding is about a change if its primary span or any related one touches a changed line, so a race shows up
when either of its two accesses was edited.
"""

import os
import re
from pathlib import Path

from attrs import Factory, define, evolve, frozen

from assay.analyzers.errors import UsageError
from assay.analyzers.findings import Finding, Span
from assay.server.checking.git import Answer, first_line, git, git_diff, top_of
from assay.server.checking.run import CheckedFile, Run

_HUNK = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


@frozen
class _Tree:
    """What the files of a repository, whose top folder is `top`, are compared with."""

    top: Path
    name: str


@define
class ChangedLines:
    """Asks git, once for each file, which lines differ from `revision`."""

    revision: str
    _trees: dict[Path, _Tree] = Factory(dict)
    _names: dict[Path, str] = Factory(dict)
    _lines: dict[Path, frozenset[int] | None] = Factory(dict)
    _origins: dict[Path, dict[Path, str]] = Factory(dict)

    def of(self, path: Path) -> frozenset[int] | None:
        """Give the 0-based changed lines of a file; None means all of them (git does not know the file)."""
        if path not in self._lines:
            self._lines[path] = self._ask(path)
        return self._lines[path]

    def of_neighbour(self, path: Path) -> frozenset[int] | None:
        """Give the same for a file that a finding only mentions, which may lie outside the repository: no lines."""
        try:
            return self.of(path)
        except UsageError:
            return frozenset()

    def require(self, folder: Path) -> None:
        """Raise `UsageError` or `MissingToolError` unless git can answer for files in `folder`."""
        self._tree(folder)

    def _ask(self, path: Path) -> frozenset[int] | None:
        tree = self._tree(path.parent)
        stages = {
            entry.split()[2] for entry in _entries(git(path.parent, "ls-files", "-z", "--stage", "--", path.name))
        }
        if stages != {b"0"}:  # git does not know the file, or not which of several versions it is
            return None
        answer = git_diff(path.parent, "--find-renames", tree.name, "--", path.name, *self._origin(path, tree))
        if answer.returncode != 0:
            raise UsageError(f"git could not compare {path} with {self.revision}: {first_line(answer.stderr)}")
        return frozenset(line for match in _HUNK.finditer(answer.stdout) for line in _hunk_lines(match))

    def _origin(self, path: Path, tree: _Tree) -> tuple[str, ...]:
        """Give the name that a file had in the tree, if it has another now."""
        if tree.top not in self._origins:
            self._origins[tree.top] = _renamed(tree)
        origin = self._origins[tree.top].get(path.parent.resolve() / path.name)
        return () if origin is None else (origin,)

    def _tree(self, folder: Path) -> _Tree:
        if folder not in self._trees:
            top = top_of(folder)
            if top not in self._names:
                self._names[top] = self._resolve(folder)
            self._trees[folder] = _Tree(top, self._names[top])
        return self._trees[folder]

    def _resolve(self, folder: Path) -> str:
        answer = git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", self.revision + "^{tree}")
        if answer.returncode != 0:
            raise UsageError(
                f"git knows no revision {self.revision!r} here. "
                "Give a branch, tag or commit that exists; a shallow clone may lack older ones."
            )
        return answer.stdout.decode().strip()


def _renamed(tree: _Tree) -> dict[Path, str]:
    """Give the names that renamed files had in the tree, by those that they have now."""
    told = git_diff(tree.top, "--find-renames", "--diff-filter=R", "--name-status", "-z", tree.name)
    return {
        tree.top / os.fsdecode(new): str(tree.top / os.fsdecode(old))
        for _status, old, new in zip(*[iter(_entries(told))] * 3, strict=False)
    }


def only_changed(run: Run, changed: ChangedLines) -> Run:
    """Keep the findings that touch a changed line; what was skipped stays."""
    return evolve(run, files=tuple(_only_changed(file, changed) for file in run.files))


def _only_changed(file: CheckedFile, changed: ChangedLines) -> CheckedFile:
    kept = tuple(finding for finding in file.report.findings if _touches(file.path, finding, changed))
    return evolve(file, report=evolve(file.report, findings=kept))


def _touches(path: Path, finding: Finding, changed: ChangedLines) -> bool:
    if any(overlaps(span, changed.of(path)) for span in finding.own_spans):
        return True
    elsewhere = [(Path(related.path), related.span) for related in finding.related if related.path is not None]
    return any(overlaps(span, changed.of_neighbour(place)) for place, span in elsewhere)


def overlaps(span: Span, lines: frozenset[int] | None) -> bool:
    """Tell whether a span touches one of some lines (None: of all lines)."""
    return lines is None or any(line in lines for line in range(span.start.line, span.end.line + 1))


def _entries(answer: Answer) -> list[bytes]:
    """Split what git lists with ``-z``."""
    return [part for part in answer.stdout.split(b"\0") if part]


def _hunk_lines(match: "re.Match[bytes]") -> range:
    first, count = int(match[1]), int(match[2] or 1)
    return range(first - 1, first - 1 + count)
