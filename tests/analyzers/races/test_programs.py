"""Each program shows one ability of the race analysis: exactly its marked lines are in racing pairs.

``// race`` stands on a line that races; ``// race: name`` also gives the name of the variable in the report.
``// skipped`` stands where the report says that something could not be modelled.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.analyzers.findings import Finding
from assay.features.feature import Context, Document
from assay.features.pipeline import Report, check

PROGRAMS = sorted(path for path in (Path(__file__).parent / "programs").iterdir() if path.suffix in (".c", ".i"))
MARK = re.compile(r"// race(?:: (\S+))?")


def checked(path: Path) -> Report:
    text = path.read_text(encoding="utf-8")
    return check(Document(uri=path.as_uri(), language="c", text=text, path=path), Context())


def marks(path: Path) -> Iterator[tuple[int, str | None]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for name in MARK.findall(line):
            yield number, name or None


def racing(finding: Finding) -> set[tuple[int, str]]:
    return {(line, pair["variable"]) for pair in finding.data["pairs"] for line in pair["lines"]}


every_program = pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)


@every_program
def test_exactly_the_marked_lines_race(path: Path) -> None:
    report = checked(path)
    found = {pair for finding in report.findings for pair in racing(finding)}
    assert {line for line, _name in found} == {line for line, _name in marks(path)}
    assert {(line, name) for line, name in marks(path) if name} <= found


@every_program
def test_only_the_marked_places_are_skipped(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    marked = [number for number, line in enumerate(lines) if "// skipped" in line]
    assert [skipped.span and skipped.span.start.line for skipped in checked(path).skipped] == marked


@every_program
def test_a_program_says_first_what_it_shows(path: Path) -> None:
    assert re.match(r"(//|/\*) [A-Z][^\n]+", path.read_text(encoding="utf-8"))
