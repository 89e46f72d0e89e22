"""Fixtures shared by every part: a scripted feature in place of the real ones, and ``assay`` as a process."""

import importlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings
from needs import pytest_collection_modifyitems, pytest_configure, pytest_terminal_summary

from assay.features import registry

__all__ = ["pytest_collection_modifyitems", "pytest_configure", "pytest_terminal_summary"]

# The same examples in every run, and no failure because a machine is slow.
settings.register_profile("assay", derandomize=True, deadline=None)
settings.load_profile("assay")

# A shell that runs the tests in the background has them ignore interrupts, and processes inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

FAKES = Path(__file__).parent / "server" / "cli" / "fakes"


@pytest.fixture
def fake_feature(monkeypatch: pytest.MonkeyPatch):
    """Make the scripted feature of tests/server/cli/fakes the only one installed, in this process and its forks."""
    monkeypatch.syspath_prepend(str(FAKES))
    feature = importlib.import_module("assay_fakes").feature
    monkeypatch.setattr(registry, "installed", lambda: registry.Installed((feature,), ()))
    return feature


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, with a cache of its own."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def run_assay(project: Path):
    """Run ``assay`` as a process of its own, with the scripted feature beside the real ones."""

    def run(*arguments: str, **options) -> subprocess.CompletedProcess:
        environment = {**os.environ, "PYTHONPATH": str(FAKES), **options.pop("env", {})}
        command = [sys.executable, "-m", "assay", *arguments]
        options = {"capture_output": True, "text": True, "timeout": 60, "cwd": project, **options}
        return subprocess.run(command, env=environment, **options)

    return run
