"""A test whose program is missing is left out with one line, and is an error where it is required."""

import os
import subprocess
import sys
from pathlib import Path

SUPPORT = Path(__file__).parent / "support"
SUITE = """\
import pytest

@pytest.mark.needs_emacs
def test_with_emacs():
    raise AssertionError("this test cannot run without Emacs")

def test_without():
    pass
"""


def run_without_programs(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a suite of its own where no program is on the PATH."""
    (folder / "test_suite.py").write_text(SUITE, encoding="utf-8")
    mine = {key: value for key, value in os.environ.items() if key != "ASSAY_REQUIRE_E2E"}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "needs", "--strict-markers", "-p", "no:cacheprovider", str(folder)],
        env={**mine, "PATH": str(folder), "PYTHONPATH": str(SUPPORT), **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_test_without_its_program_is_left_out_and_one_line_says_so(tmp_path: Path) -> None:
    run = run_without_programs(tmp_path)
    assert run.returncode == 0, run.stdout
    assert "1 passed, 1 deselected" in run.stdout
    (line,) = [line for line in run.stdout.splitlines() if line.startswith("not run:")]
    assert "1 test with Emacs" in line
    assert "tests/e2e/emacs/setup.sh" in line


def test_a_required_program_that_is_missing_is_an_error(tmp_path: Path) -> None:
    run = run_without_programs(tmp_path, ASSAY_REQUIRE_E2E="1")
    assert run.returncode != 0
    assert "1 test with Emacs" in run.stdout + run.stderr
    assert "passed" not in run.stdout
