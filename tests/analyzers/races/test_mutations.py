"""Damaged programs: whatever happens to the text, the analysis answers or says in words why it cannot."""

import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.analyzers.budget import Budget
from assay.analyzers.c.races import find_races
from assay.analyzers.findings import Finding
from assay.features.races.findings import finding

PROGRAMS = [path.read_text("utf-8") for path in sorted((Path(__file__).parent / "programs").glob("*.[ci]"))]
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
ODD = """* & ( ) { } [ ] ; -> = 0 -1 99999999999999999999 / % << static _Atomic case goto return struct union typedef
    sizeof pthread_create ' " # \x00 é \\""".split(" ")

edits = st.lists(
    st.tuples(
        st.sampled_from(["delete", "duplicate", "swap", "replace"]),
        st.booleans(),
        st.integers(0, 1 << 16),
        st.integers(0, 1 << 16),
        st.sampled_from(ODD),
    ),
    min_size=1,
    max_size=6,
)


def damaged(text: str, changes) -> str:
    """Delete, duplicate, swap or replace some tokens or lines of a text."""
    for kind, by_line, first, second, word in changes:
        parts = text.splitlines(keepends=True) if by_line else TOKEN.findall(text)
        if not parts:
            break
        one, other = first % len(parts), second % len(parts)
        if kind == "delete":
            del parts[one : one + 2]
        elif kind == "duplicate":
            parts[one:one] = parts[other : other + 6]
        elif kind == "swap":
            parts[one], parts[other] = parts[other], parts[one]
        else:
            parts[one] = word
        text = "".join(parts)
    return text


@settings(max_examples=300)
@given(st.sampled_from(PROGRAMS), edits)
def test_a_damaged_program_is_still_answered(program, changes):
    text = damaged(program, changes)
    found = find_races(text, None, lambda path: None, (), (), Budget())
    lines = text.count("\n") + 1
    for race in found.races:
        made = finding(race, found, "FILE")
        assert isinstance(made, Finding)
        assert 0 <= made.span.start.line < lines
        assert all(1 <= line <= lines for pair in made.data["pairs"] for line in pair["lines"])
    assert all(skipped.reason for skipped in found.skipped)
