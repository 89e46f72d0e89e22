"""Labelled programs for race detection, read from a folder into types.

The folder holds ``manifest.jsonl`` (programs with racing line pairs), ``goblint_lines.jsonl`` (lines with a verdict),
and, where they exist, ``python/manifest.jsonl`` and ``real/manifest.jsonl``.  docs/benchmarks.md gives the fields.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from attrs import evolve, frozen

from assay.analyzers.errors import UsageError
from assay.features.languages import language_of

Pair = tuple[int, int]


class Suite(StrEnum):
    """What a case is scored on."""

    PROGRAMS = "programs"
    GOBLINT = "goblint"
    PYTHON = "python"
    REAL = "real"


@frozen
class Label:
    """A race between a line of `a` and a line of `b`; some labels accept several lines."""

    a: frozenset[int]
    b: frozenset[int]

    def accepts(self, pair: Pair) -> bool:
        """Tell whether a predicted pair is this race."""
        first, second = pair
        return (first in self.a and second in self.b) or (second in self.a and first in self.b)


@frozen
class Case:
    """One file to analyse, with what is known about it; lines are 1-based.

    `key` is its name in predictions, `group` what a sample is spread over (a category or a language), `ignored` are
    pairs that are neither right nor wrong, `safe_lines` must not be in any pair, `verdicts` are lines with their truth.
    `deadlock` tells that the program can stop for ever, on one of the `deadlock_lines`.
    """

    suite: Suite
    key: str
    path: str
    group: str
    racy: bool = False
    labels: tuple[Label, ...] = ()
    ignored: frozenset[Pair] = frozenset()
    safe_lines: frozenset[int] = frozenset()
    verdicts: tuple[tuple[int, bool], ...] = ()
    deadlock: bool = False
    deadlock_lines: frozenset[int] = frozenset()

    @property
    def language(self) -> str | None:
        """Give the language of the file, None when Assay does not know it."""
        return language_of(PurePosixPath(self.path))


def read_corpus(folder: Path) -> tuple[Case, ...]:
    """Read every case of a folder; raise `UsageError` when it is missing or malformed."""
    return (
        *_read(folder / "manifest.jsonl", _programs),
        *_read(folder / "goblint_lines.jsonl", _goblint),
        *_read_optional(folder / "python" / "manifest.jsonl", _python),
        *_read_optional(folder / "real" / "manifest.jsonl", _real),
    )


def sample(cases: Iterable[Case], limit: int) -> tuple[Case, ...]:
    """Choose `limit` cases, evenly over suites and groups; the same every time, and nested for growing limits."""
    queues: dict[tuple[str, str], list[Case]] = {}
    for case in sorted(cases, key=lambda case: sha256(f"{case.suite}:{case.key}".encode()).digest()):
        queues.setdefault((case.suite, case.group), []).append(case)
    rounds: Iterator[Case] = (
        queue[turn]
        for turn in range(max(map(len, queues.values()), default=0))
        for _, queue in sorted(queues.items())
        if turn < len(queue)
    )
    return tuple(case for case, _ in zip(rounds, range(limit), strict=False))


_Row = dict[str, Any]
_Reader = Callable[[list[_Row]], Iterable[Case]]


def _read_optional(path: Path, reader: _Reader) -> tuple[Case, ...]:
    return _read(path, reader) if path.exists() else ()


def _read(path: Path, reader: _Reader) -> tuple[Case, ...]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = (error.strerror or str(error)).lower() if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(
            f"The benchmark file {path} cannot be read ({why}). Give --data a folder in the format of"
            " docs/benchmarks.md."
        ) from error
    try:
        return tuple(reader([json.loads(line) for line in lines if line.strip()]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"{type(error).__name__}: {error}"
        raise UsageError(
            f"The benchmark file {path} is not in the expected format ({what}). Compare it with docs/benchmarks.md."
        ) from error


def _programs(rows: list[_Row]) -> Iterator[Case]:
    for row in rows:
        if row.get("in_drpbench_1003"):
            labels = tuple(Label(_lines(race["lineA"]), _lines(race["lineB"])) for race in row["races"])
            group = str(row["category"])
            yield Case(Suite.PROGRAMS, row["id"], row["norm_path"], group, bool(row["expected_race"]), labels)


def _lines(value: int | list[int]) -> frozenset[int]:
    return frozenset(value if isinstance(value, list) else (value,))


def _goblint(rows: list[_Row]) -> Iterator[Case]:
    verdicts: dict[str, list[tuple[int, bool]]] = {}
    for row in rows:
        unscored = row["todo"] or row["kernel"] or row["file_skip"] or row["label"] == "race_accepted_imprecision"
        if not unscored:
            verdicts.setdefault(row["path"], []).append((row["line"], row["label"] == "race"))
    return _annotated(Suite.GOBLINT, verdicts)


def _python(rows: list[_Row]) -> Iterator[Case]:
    for row in rows:
        notes = [(note["line"], note["label"]) for note in row["annotations"]]
        verdicts = tuple((line, label == "RACE!") for line, label in notes if label in ("RACE!", "NORACE"))
        stuck = frozenset(line for line, label in notes if label == "DEADLOCK!")
        deadlock = bool(row.get("expected_deadlock") or stuck)
        if verdicts or deadlock:
            case = _annotated_file(Suite.PYTHON, row["path"], verdicts)
            yield evolve(case, deadlock=deadlock, deadlock_lines=stuck)


def _annotated(suite: Suite, verdicts: dict[str, list[tuple[int, bool]]]) -> Iterator[Case]:
    for path, lines in verdicts.items():
        yield _annotated_file(suite, path, tuple(lines))


def _annotated_file(suite: Suite, path: str, lines: tuple[tuple[int, bool], ...]) -> Case:
    group = PurePosixPath(path).parent.name
    return Case(suite, path, path, group, any(racy for _, racy in lines), verdicts=lines)


def _real(rows: list[_Row]) -> Iterator[Case]:
    for row in rows:
        pairs = sorted({_pair(entry["lines"]) for entry in row["pairs"]})
        yield Case(
            Suite.REAL,
            "real/" + row["path"],
            "real/" + row["path"],
            row["lang"],
            bool(row["racy"]),
            tuple(Label(frozenset({a}), frozenset({b})) for a, b in pairs),
            frozenset(_pair(lines) for lines in row.get("also_reported_pairs", [])),
            frozenset(row["norace_lines"]),
            deadlock=bool(row.get("deadlock")),
            deadlock_lines=frozenset(row.get("deadlock_lines", ())),
        )


def _pair(lines: list[int]) -> Pair:
    first, second = sorted(lines)
    return first, second
