"""Tests that need a program which not every machine has: they are left out where it is missing, and one line says so.

A test says what it needs with a marker of `NEEDS`, such as ``needs_emacs``. With ``ASSAY_REQUIRE_E2E=1`` in the
environment, as continuous integration has it, a missing program is an error, so that no such test is left out there
unseen.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest
from attrs import frozen

REQUIRE = "ASSAY_REQUIRE_E2E"


@frozen
class Need:
    """A program that some tests need: its name, whether it is here, and the command that installs it."""

    name: str
    present: Callable[[], bool]
    setup: str


def missing(items: Sequence[pytest.Item], needs: Mapping[str, Need]) -> dict[str, int]:
    """Count, for each need that is not here, the tests among `items` that have its marker."""
    counts = {marker: sum(item.get_closest_marker(marker) is not None for item in items) for marker in needs}
    return {marker: count for marker, count in counts.items() if count and not needs[marker].present()}


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers."""
    for marker, need in NEEDS.items():
        config.addinivalue_line("markers", f"{marker}: needs {need.name}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests whose program is missing; an error where they are required."""
    lacking = missing(items, NEEDS)
    if lacking and os.environ.get(REQUIRE) == "1":
        raise pytest.UsageError(*(_line(marker, count) for marker, count in lacking.items()))
    left_out = [item for item in items if any(item.get_closest_marker(marker) for marker in lacking)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    config.stash[_LACKING] = lacking


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say in one line for each missing program what was not run, and how to get it."""
    for marker, count in config.stash.get(_LACKING, {}).items():
        terminalreporter.write_line(_line(marker, count), yellow=True)


def _line(marker: str, count: int) -> str:
    need = NEEDS[marker]
    what = "1 test" if count == 1 else f"{count} tests"
    return f"not run: {what} with {need.name}, which is not installed here. To get it: {need.setup}"


_LACKING = pytest.StashKey[dict[str, int]]()


def emacs_command() -> list[str]:
    """Give the command that runs Emacs with the packages of the system and of `HOME`, and no other configuration."""
    return ["emacs", "--no-init-file", "--batch", "--funcall", "package-initialize"]


@cache
def _has_eglot() -> bool:
    if shutil.which("emacs") is None:
        return False
    probe = [*emacs_command(), "--eval", "(require 'eglot)"]
    return subprocess.run(probe, capture_output=True, timeout=60, check=False).returncode == 0


VSCODE_SETUP = "tests/e2e/vscode/setup.sh"


@cache
def _has_vscode() -> bool:
    asked = [Path(__file__).parents[2] / VSCODE_SETUP, "--where"]
    return subprocess.run(asked, capture_output=True, timeout=60, check=False).returncode == 0


NEEDS = {
    "needs_emacs": Need("Emacs and Eglot", _has_eglot, "tests/e2e/emacs/setup.sh"),
    "needs_vscode": Need("VS Code and a browser", _has_vscode, VSCODE_SETUP),
}
