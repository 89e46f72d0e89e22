"""A baseline: the findings that an old project has agreed to live with for now, kept in a file and not reported.

A finding is known by its fingerprint, the one of the SARIF report, so it stays known while its lines move.  Equal
findings share a fingerprint and are counted: one more than the baseline holds is reported.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from attrs import Factory, asdict, define, evolve, frozen

from assay.analyzers.errors import AssayError, UsageError
from assay.analyzers.findings import Finding
from assay.server.checking.run import CheckedFile, Run
from assay.server.reports.names import LineOf, fingerprint, name_of, relative
from assay.server.reports.output import write_file
from assay.server.reports.places import Texts
from assay.server.sources import absolute, read_source

DEFAULT = "assay-baseline.json"
FORMAT = 1
"""Raised when a reader of the file would have to change."""

MAX_BYTES = 100_000_000
_ADVICE = "Remove it, and write it anew with `assay check --write-baseline`."


@frozen(order=True)
class Entry:
    """`count` equal findings in the file `path`, which is relative to the baseline's folder."""

    path: str
    code: str
    fingerprint: str
    count: int


@frozen
class Baseline:
    """A baseline as read from `path`."""

    path: Path
    entries: tuple[Entry, ...] = ()


@frozen
class Named:
    """The path of a baseline (empty: none), and the file and line of the settings that name it (empty: none do)."""

    path: str
    place: str = ""


@frozen
class Compared:
    """A run without the findings that are in a baseline, and (baseline, entry) of those that are found no more."""

    run: Run
    stale: tuple[tuple[Path, Entry], ...] = ()


def read(path: Path, place: str = "") -> Baseline:
    """Read a baseline, named at a `place` in the settings; raises `UsageError` when it cannot be read or is none."""
    try:
        return parse(path, read_source(path, MAX_BYTES))
    except UsageError:
        raise
    except AssayError as error:
        if _is_gone(path):
            raise _missing(path, place) from error
        raise UsageError(f"{path}: the baseline cannot be read. {error} {_ADVICE}") from error


def _missing(path: Path, place: str) -> UsageError:
    what = f"{place}: `baseline` names {path}, which does not exist" if place else f"{path}: there is no such baseline"
    return UsageError(f"{what}. Write it with `assay check --write-baseline`, or correct the path.")


def parse(path: Path, text: str) -> Baseline:
    """Understand the text of the baseline at `path`; raises `UsageError` when it is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: the baseline is not valid JSON ({error}). {_ADVICE}") from error
    return Baseline(path, tuple(_entries(path, value)))


def _entries(path: Path, value: Any) -> Iterator[Entry]:
    if not isinstance(value, dict) or not isinstance(value.get("findings"), list):
        raise UsageError(f"{path}: this is not a baseline. Name one that `assay check --write-baseline` wrote.")
    if type(value.get("version")) is not int or value["version"] != FORMAT:
        raise UsageError(
            f"{path}: the baseline has version {value.get('version')!r}, and this Assay reads {FORMAT}. {_ADVICE}"
        )
    for number, one in enumerate(value["findings"], start=1):
        if not _is_entry(one):
            raise UsageError(f"{path}: entry {number} of the baseline is damaged. Repair it, or: {_ADVICE}")
        yield Entry(**{name: one[name] for name in _KINDS})


_KINDS = {"path": str, "code": str, "fingerprint": str, "count": int}


def _is_entry(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and all(type(value.get(name)) is kind for name, kind in _KINDS.items())
        and value["count"] > 0
    )


def write(path: Path, entries: Iterable[Entry]) -> None:
    """Write a baseline, sorted, with a line for each entry; raises `UsageError`."""
    lines = ",\n".join(f"    {json.dumps(asdict(entry))}" for entry in sorted(entries))
    findings = f"[\n{lines}\n  ]" if lines else "[]"
    write_file(path, f'{{\n  "version": {FORMAT},\n  "findings": {findings}\n}}\n', "--write-baseline")


def entries_of(run: Run, root: Path) -> list[Entry]:
    """Give the entries for everything a run found, in files as seen from `root`."""
    found: Counter[tuple[str, str, str]] = Counter()
    texts = Texts()
    for file in run.files:
        for finding in file.report.findings:
            found[relative(file.path, root), finding.code, _fingerprint(file, finding, texts, root)] += 1
    return [Entry(*key, count) for key, count in found.items()]


def renewed(known: Baseline, run: Run) -> list[Entry]:
    """Give the entries after a run: those of its findings, and the old ones of existing files that it did not check."""
    root = known.path.parent
    checked = {relative(file.path, root) for file in run.files if _is_whole(file)}
    fresh = entries_of(run, root)
    places = {(entry.path, entry.fingerprint) for entry in fresh}
    old = [entry for entry in known.entries if entry.path not in checked and not _is_gone(root / entry.path)]
    return fresh + [entry for entry in old if (entry.path, entry.fingerprint) not in places]


def _is_gone(path: Path) -> bool:
    """Tell whether nothing is at a path for sure; what may not be looked at may be there."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False


def _is_whole(file: CheckedFile) -> bool:
    return file.analysed and not file.report.partial


def _fingerprint(file: CheckedFile, finding: Finding, texts: Texts, root: Path) -> str:
    return fingerprint(name_of(file.path, finding, texts.line_of(file), root))


@define
class Comparison:
    """Compares runs with the baselines that `named_for` gives for a folder."""

    named_for: Callable[[Path], Named]
    _baselines: dict[str, Baseline] = Factory(dict)

    def compare(self, run: Run) -> Compared:
        """Take out what a baseline knows; raises `UsageError` when one cannot be read."""
        left = {one.path: Counter(_counts(self._baseline(one))) for one in self._named(run)}
        texts = Texts()
        files = tuple(self._without_known(file, left, texts) for file in run.files)
        stale = [pair for name, counter in left.items() for pair in _stale(self._baselines[name], counter, run)]
        return Compared(evolve(run, files=files), tuple(stale))

    def paths(self) -> set[Path]:
        """Give the baselines that were read."""
        return {baseline.path for baseline in self._baselines.values()}

    def _named(self, run: Run) -> list[Named]:
        return [one for one in dict.fromkeys(self.named_for(file.path.parent) for file in run.files) if one.path]

    def _baseline(self, named: Named) -> Baseline:
        if named.path not in self._baselines:
            self._baselines[named.path] = read(absolute(Path(named.path)), named.place)
        return self._baselines[named.path]

    def _without_known(self, file: CheckedFile, left: dict[str, Counter[str]], texts: Texts) -> CheckedFile:
        name = self.named_for(file.path.parent).path
        findings = file.report.findings
        if not name or not findings:
            return file
        root = self._baselines[name].path.parent
        kept = unknown(file.path, findings, texts.line_of(file), root, left[name])
        return evolve(file, report=evolve(file.report, findings=kept), baselined=len(findings) - len(kept))


def _stale(baseline: Baseline, left: Counter[str], run: Run) -> Iterator[tuple[Path, Entry]]:
    """Give what is known and was not found, though its file was checked to the end, or is there no more."""
    root = baseline.path.parent
    checked = {relative(file.path, root) for file in run.files if _is_whole(file)}
    for entry in baseline.entries:
        if left[entry.fingerprint] > 0 and (entry.path in checked or _is_gone(root / entry.path)):
            yield baseline.path, entry


def unknown(
    path: Path, findings: Iterable[Finding], line_of: LineOf, root: Path, left: Counter[str]
) -> tuple[Finding, ...]:
    """Give the findings of a file that are not known any more often; `left` counts down what is known."""
    kept = []
    for finding in findings:
        known = fingerprint(name_of(path, finding, line_of, root))
        if left[known] > 0:
            left[known] -= 1
        else:
            kept.append(finding)
    return tuple(kept)


def unknown_in(baseline: Baseline, path: Path, findings: Iterable[Finding], line_of: LineOf) -> tuple[Finding, ...]:
    """Give the findings of one file that a baseline does not hold."""
    return unknown(path, findings, line_of, baseline.path.parent, Counter(_counts(baseline)))


def _counts(baseline: Baseline) -> dict[str, int]:
    return {entry.fingerprint: entry.count for entry in baseline.entries}
