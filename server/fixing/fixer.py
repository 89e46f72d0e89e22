"""Find the fixes of files, apply them to the texts in memory, and check each text again after every round.

Fixes that overlap are applied one after another, each to a text that was checked.  A round whose text gives a finding
that was not there before, or cannot be analysed, is undone.  Nothing is written here.
"""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from attrs import Factory, define, field, frozen

from assay.analyzers.errors import AssayError
from assay.analyzers.findings import Finding, Fix, VerificationResult
from assay.features.comments import Lines
from assay.features.pipeline import Report
from assay.server.checking.run import CheckedFile, Input, Run
from assay.server.discovery import Target
from assay.server.fixing.texts import Change, Encoding, changed, changes_of, encoding_of, moved
from assay.server.reports.words import counted
from assay.server.sources import read_bytes

MAX_ROUNDS = 20
"""Fixes that still make new fixes possible after so many rounds are left for another run."""

Check = Callable[[Sequence[Input]], Sequence[CheckedFile]]


@frozen
class Applied:
    """A fix that was applied; the 1-based line is that of the text it was applied to."""

    line: int
    code: str
    title: str


@frozen
class Fixed:
    """What became of a file: its bytes before and after, what was applied, and why something was not."""

    path: Path
    shown: str
    before: bytes = field(repr=False)
    after: bytes = field(repr=False)
    text_before: str = field(repr=False)
    text_after: str = field(repr=False)
    applied: tuple[Applied, ...] = ()
    problems: tuple[str, ...] = ()


@define
class _File:
    """A file while it is being fixed."""

    target: Target
    encoding: Encoding
    data: bytes = field(repr=False)
    original: str = field(repr=False)
    text: str = field(repr=False)
    lines: frozenset[int] | None
    checked: CheckedFile = field(repr=False)
    applied: list[Applied] = Factory(list)
    problems: list[str] = Factory(list)
    done: bool = False


@frozen
class _Trial:
    """Fixes of a file that are applied together, and the text they give."""

    file: _File
    lines: Lines
    changes: tuple[Change, ...]
    applied: tuple[Applied, ...]
    text: str = field(
        init=False, repr=False, default=Factory(lambda self: changed(self.lines.text, self.changes), takes_self=True)
    )

    @property
    def data(self) -> bytes:
        """The bytes of the file after the fixes."""
        return self.file.encoding.encode(self.text)

    def settle(self, checked: CheckedFile) -> None:
        """Keep the new text if it is no worse, else the old one."""
        file = self.file
        if reason := _worse(file.checked.report, checked):
            were = "was" if len(self.applied) == 1 else "were"
            file.problems.append(f"{counted(len(self.applied), 'fix')} {were} undone: {reason}")
            file.done = True
            return
        file.applied += self.applied
        file.text, file.checked = self.text, checked
        if file.lines is not None:
            file.lines = frozenset(moved(sorted(file.lines), self.lines, self.changes))


@frozen
class Fixer:
    """Fixes files.

    `unsafe` takes fixes that nobody verified too, but never one whose verification failed.  `only_there` keeps to the
    lines of the findings in the run, when those were chosen from more.
    """

    check: Check
    unsafe: bool = False
    only_there: bool = False

    def fix(self, run: Run, inputs: Sequence[Input]) -> tuple[Fixed, ...]:
        """Fix the findings of a run, and what fixing them uncovers at the same places, in the order of the files."""
        targets = {one.target.path: one.target for one in inputs}
        files = list(self._opened([file for file in run.files if any(self._fixes(file.report))], targets))
        for _ in range(MAX_ROUNDS):
            open_files = [file for file in files if not file.done]
            if not open_files:
                break
            self._round(open_files)
        return tuple(map(_result, files))

    def available(self, run: Run) -> int:
        """Count the findings of a run that have a fix which is not applied because it was not asked for."""
        findings = [finding for file in run.files for finding in file.report.findings]
        return sum(bool(_choice(one, True)) and not _choice(one, self.unsafe) for one in findings)

    def _fixes(self, report: Report) -> Iterator[tuple[Finding, Fix]]:
        for finding in report.findings:
            if (fix := _choice(finding, self.unsafe)) is not None:
                yield finding, fix

    def _opened(self, wanted: list[CheckedFile], targets: dict[Path, Target]) -> Iterator[_File]:
        """Read the bytes of each file, and check exactly those, since it may have changed since the run."""
        read = [(file, data) for file in wanted if (data := _bytes_of(file.path)) is not None]
        inputs = [Input(targets[file.path], data) for file, data in read]
        for (file, data), checked in zip(read, self.check(inputs), strict=True):
            text = checked.text
            encoding = None if text is None else encoding_of(data, text)
            if text is not None and encoding is not None:
                lines = frozenset(one.span.start.line for one in file.report.findings) if self.only_there else None
                yield _File(targets[file.path], encoding, data, text, text, lines, checked)

    def _round(self, files: list[_File]) -> None:
        """Apply what does not overlap, check the new texts, and keep those that are no worse."""
        trials = [trial for file in files if (trial := self._trial(file)) is not None]
        answers = self.check([Input(trial.file.target, trial.data) for trial in trials])
        for trial, checked in zip(trials, answers, strict=True):
            trial.settle(checked)

    def _trial(self, file: _File) -> "_Trial | None":
        """Choose fixes that do not overlap; without any, the file is done."""
        lines = Lines(file.text)
        chosen: list[Change] = []  # in order
        applied: list[Applied] = []
        for finding, fix in self._fixes(file.checked.report):
            if file.lines is not None and finding.span.start.line not in file.lines:
                continue
            changes = self._changes(file, lines, fix)
            if changes and not any(_meets_one(change, chosen) for change in changes):
                for change in changes:
                    insort(chosen, change)
                applied.append(Applied(finding.span.start.line + 1, finding.code, fix.title))
        if not chosen:
            file.done = True
            return None
        return _Trial(file, lines, tuple(chosen), tuple(applied))

    def _changes(self, file: _File, lines: Lines, fix: Fix) -> tuple[Change, ...]:
        if any(edit.path is not None for edit in fix.edits):
            _note(file, "A fix that changes other files too was left out. Apply it in an editor.")
            return ()
        try:
            changes = changes_of(lines, fix.edits)
            for change in changes:
                file.encoding.encode(change.new_text)
        except UnicodeEncodeError:
            _note(
                file, f"A fix has characters that the file's encoding ({file.encoding.codec}) lacks. Save it as UTF-8."
            )
            return ()
        except ValueError as error:
            _note(file, f"A fix does not fit the text ({error}). This is a bug: please report it.")
            return ()
        return changes


def _choice(finding: Finding, unsafe: bool) -> Fix | None:
    """Give the fix to apply: the preferred one that was verified, or else, when asked for, one that was not."""
    for fix in sorted(finding.fixes, key=lambda fix: not fix.preferred):
        result = fix.verification.result
        if fix.preferred and result is VerificationResult.PASSED:
            return fix
        if unsafe and result is not VerificationResult.FAILED:
            return fix
    return None


def _meets_one(change: Change, chosen: list[Change]) -> bool:
    """Tell whether a change meets one of those chosen, which are in order and do not meet each other."""
    place = bisect_left(chosen, change)
    return any(change.meets(other) for other in chosen[max(0, place - 1) : place + 1])


def _bytes_of(path: Path) -> bytes | None:
    try:
        return read_bytes(path, 1 << 30)
    except AssayError:  # it vanished since the run, which read it
        return None


def _worse(before: Report, checked: CheckedFile) -> str:
    """Say why a text is worse than the one before; empty when it is not."""
    after = checked.report
    if not checked.analysed or (after.partial and not before.partial):
        return "the text after that could not be analysed."
    codes = Counter(finding.code for finding in after.findings) - Counter(finding.code for finding in before.findings)
    if codes:
        return f"the text after that gives {', '.join(sorted(codes))}."
    if len(after.skipped) > len(before.skipped):
        return f"the text after that is understood less well ({after.skipped[-1].reason})"
    return ""


def _note(file: _File, problem: str) -> None:
    if problem not in file.problems:
        file.problems.append(problem)


def _result(file: _File) -> Fixed:
    after = file.encoding.encode(file.text)
    return Fixed(
        file.target.path,
        file.target.shown,
        file.data,
        after,
        file.original,
        file.text,
        tuple(file.applied),
        tuple(file.problems),
    )
