"""Diffs are those that git applies."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.server.fixing.diff import unified

lines = st.lists(st.sampled_from(["a", "b", "", "  x", "\r", "é", "-- y", "\\ z"]), max_size=14)
texts = st.builds(lambda parts, end: "\n".join(parts) + end, lines, st.sampled_from(["", "\n"]))


def patched(folder: Path, before: str, diff: str, name: str = "x.c") -> str:
    target = folder / name
    target.write_bytes(before.encode())
    quiet = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CEILING_DIRECTORIES": str(folder.parent)}
    command = ["git", "apply", "--unidiff-zero", "--whitespace=nowarn", "-"]
    subprocess.run(command, input=diff.encode(), cwd=folder, check=True, env=quiet)
    return target.read_bytes().decode()


@pytest.mark.parametrize(
    "name", ["a b.c", "tab\there.c", "line\nfeed.c", 'quo"te.c', "back\\slash.c", "häuser.c", "\x1b[31m.c"]
)
def test_git_finds_the_file_whatever_its_name(tmp_path: Path, name: str) -> None:
    assert patched(tmp_path, "old\n", unified("old\n", "new\n", name), name) == "new\n"


def test_one_changed_line_is_shown_between_three_others() -> None:
    before = "".join(f"{number}\n" for number in range(1, 11))
    assert unified(before, before.replace("5\n", "five\n"), "a/x.c") == (
        "--- a/a/x.c\n+++ b/a/x.c\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
    )


def test_an_end_without_a_line_feed_is_marked() -> None:
    assert unified("a", "b", "x") == (
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"
    )


def test_equal_texts_have_no_diff() -> None:
    assert unified("a\n", "a\n", "x") == ""


def test_a_large_file_with_one_change_is_compared_around_it_only() -> None:
    before = "same\n" * 300_000
    after = before[: 5 * 150_000] + "new\n" + before[5 * 150_000 :]
    assert unified(before, after, "x").count("\n") == 2 + 1 + 3 + 1 + 3


def test_git_makes_the_second_text_of_the_first(tmp_path_factory) -> None:
    folder = tmp_path_factory.mktemp("patched")

    @given(texts.filter(bool), texts.filter(bool))
    def check(before: str, after: str) -> None:
        diff = unified(before, after, "x.c")
        assert bool(diff) == (before != after)
        if diff:
            assert patched(folder, before, diff) == after

    check()
