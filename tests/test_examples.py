"""The example programs give exactly the findings that their comments announce.

``// expect: race/lost-update`` stands on a line that the finding names: its own, or one of its related places.
A program without such a comment is safe.
"""

import re
from pathlib import Path

import pytest

from assay.analyzers.findings import Finding
from assay.features.feature import Context, Document
from assay.features.pipeline import Report, check
from assay.features.races import feature

EXAMPLES = Path(__file__).parents[1] / "examples"
PROGRAMS = sorted(EXAMPLES.glob("*.c"))
ENDINGS = {"race/lock-order": "stuck", "race/self-deadlock": "stuck"}  # of the programs with a finding; else racy
EXPECT = re.compile(r"// expect: (\S+)")

every_program = pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)


def checked(program: Path) -> Report:
    text = program.read_text(encoding="utf-8")
    return check(Document(uri=program.as_uri(), language="c", text=text, path=program), Context())


def expected(program: Path) -> list[tuple[int, str]]:
    """List (0-based line, code) of each announced finding."""
    lines = program.read_text(encoding="utf-8").splitlines()
    return [(number, code) for number, line in enumerate(lines) for code in EXPECT.findall(line)]


def named_lines(finding: Finding) -> set[int]:
    spans = [finding.span, *(related.span for related in finding.related if related.path is None)]
    return {span.start.line for span in spans}


@every_program
def test_the_findings_are_those_announced(program: Path) -> None:
    announced, findings = expected(program), checked(program).findings
    assert sorted(code for _, code in announced) == sorted(finding.code for finding in findings)
    for line, code in announced:
        assert any(finding.code == code and line in named_lines(finding) for finding in findings)


@every_program
def test_the_whole_program_was_modelled(program: Path) -> None:
    assert checked(program).skipped == ()


def test_the_examples_show_every_race_rule() -> None:
    shown = {code for program in PROGRAMS for _, code in expected(program)}
    assert shown == {rule.code for rule in feature.rules}


@every_program
def test_racy_and_safe_programs_are_named_so(program: Path) -> None:
    story, _, ending = program.stem.rpartition("_")
    assert ending in [ENDINGS.get(code, "racy") for _, code in expected(program)] or (
        ending == "safe" and not expected(program)
    )
    others = {path.stem.removeprefix(f"{story}_") for path in EXAMPLES.glob(f"{story}_*.c")} - {ending}
    assert others in ({"racy"}, {"stuck"}, {"safe"})


@every_program
def test_each_program_tells_its_story_first(program: Path) -> None:
    text = program.read_text(encoding="utf-8")
    assert text.startswith("/* ")
    assert len(text[: text.index("*/")].splitlines()) >= 4


def test_the_table_names_every_pair_with_its_rule() -> None:
    table = dict(re.findall(r"^\| `(\w+)` \| (\S+) \|", (EXAMPLES / "README.md").read_text("utf-8"), re.MULTILINE))
    assert table == {program.stem.rpartition("_")[0]: code for program in PROGRAMS for _, code in expected(program)}
