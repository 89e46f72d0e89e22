"""``assay check --watch`` as a process: it sees every change that matters, and ends well with Ctrl-C."""

import builtins
import json
import os
import pty
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assay.server.cli.main import main

FAKES = Path(__file__).parent / "fakes"


class Watcher:
    """A running watch whose standard output is read line by line."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "assay", "check", "--watch", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(FAKES)},
        )
        self.bound = threading.Timer(60, self.process.kill)  # a change that is not seen fails the test
        self.bound.start()

    def summary(self) -> str:
        """Give what the next round says at its end."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if " checked in " in line:
                return line.partition(": ")[2].strip()
        raise AssertionError(self.process.stderr and self.process.stderr.read())

    def until(self, wanted: str) -> None:
        """Wait for a round that says this; a file that is written in two steps may be seen between them."""
        said = [self.summary()]
        while said[-1] != wanted:
            assert len(said) < 4, said
            said.append(self.summary())

    def end(self) -> tuple[int, str]:
        """Press Ctrl-C; give the status and the messages."""
        self.process.send_signal(signal.SIGINT)
        _, err = self.process.communicate(timeout=30)
        return self.process.returncode, err


@pytest.fixture
def watch(project: Path) -> Iterator[Callable[..., Watcher]]:
    started: list[Watcher] = []

    def start(*arguments: str) -> Watcher:
        started.append(Watcher(*arguments))
        return started[-1]

    yield start
    for watcher in started:
        watcher.bound.cancel()
        watcher.process.kill()
        watcher.process.communicate()


def test_each_change_is_checked_and_ctrl_c_gives_the_last_status(watch) -> None:
    Path("a.c").write_text("int x;\n")
    watcher = watch()
    watcher.until("no findings")
    Path("a.c").write_text("@find(fake/one)\n")
    watcher.until("1 finding (1 warning)")
    Path("new.c").write_text("@find(fake/two)\n")
    watcher.until("2 findings (2 warnings)")
    Path("new.c").unlink()
    watcher.until("1 finding (1 warning)")
    status, err = watcher.end()
    assert status == 1
    assert "Traceback" not in err
    assert "interrupted" not in err


def test_a_clean_end_is_status_0(watch) -> None:
    Path("a.c").write_text("int x;\n")
    watcher = watch("a.c", "-q", "--output", "report.txt")
    while not Path("report.txt").exists():
        assert watcher.process.poll() is None
        time.sleep(0.02)
    Path("a.c").write_text("int y;\n")
    assert watcher.end() == (0, "\n")


def test_headers_settings_and_baselines_elsewhere_are_looked_at(watch, run_assay) -> None:
    Path("src").mkdir()
    Path("src/a.c").write_text("@read(../b.h)\n")
    Path("known.json").write_text('{"version": 1, "findings": []}')
    watcher = watch("src", "--baseline", "known.json")
    watcher.until("1 finding (1 warning)")
    Path("b.h").write_text("here")
    watcher.until("1 finding (1 warning)")
    Path("assay.toml").write_text("ignore = ['fake/*']\n")
    watcher.until("no findings")
    Path("assay.toml").unlink()
    watcher.until("1 finding (1 warning)")
    assert run_assay("check", "src", "--write-baseline", "known.json", "-q").returncode == 0
    watcher.until("no findings, 1 in the baseline")


def test_a_mistake_in_the_settings_is_told_and_its_correction_awaited(watch) -> None:
    Path("a.c").write_text("int x;\n")
    watcher = watch("--format", "text")
    watcher.until("no findings")
    Path("assay.toml").write_text("timeot = 1\n")
    assert watcher.process.stderr is not None
    told = next(line for line in watcher.process.stderr if "timeot" in line)
    assert "assay.toml:1: `timeot` is not a setting; did you mean `timeout`?" in told
    Path("assay.toml").write_text("timeout = 1\n")
    watcher.until("no findings")


def test_its_own_report_is_no_change(watch) -> None:
    Path("a.c").write_text("@find(fake/one)\n")
    watcher = watch("--format", "json", "--output", "report.c")
    assert watcher.process.stderr is not None
    assert "watching" in watcher.process.stderr.readline()
    first = Path("report.c").stat().st_mtime_ns
    Path("a.c").write_text("@find(fake/one)\n@find(fake/two)\n")
    assert any("watching" in line for line in watcher.process.stderr)
    assert Path("report.c").stat().st_mtime_ns != first
    assert len(json.loads(Path("report.c").read_text())["findings"]) == 2
    assert watcher.end()[1] == "\n"


def test_the_screen_is_cleared_on_a_terminal_only(watch) -> None:
    Path("a.c").write_text("int x;\n")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "assay", "check", "--watch"]
    environment = {**os.environ, "TERM": "xterm", "PYTHONPATH": str(FAKES)}
    process = subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL, env=environment)
    os.close(theirs)
    seen = b""
    while b"checked in" not in seen:
        seen += os.read(ours, 1000)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0
    os.close(ours)
    assert seen.startswith(b"\x1b[2J")
    watcher = watch()
    assert watcher.process.stdout is not None
    assert "\x1b" not in watcher.process.stdout.readline()


def test_without_watchfiles_it_says_what_to_install(project: Path, capsys, monkeypatch) -> None:
    real = builtins.__import__

    def without(name, *rest):
        if name == "watchfiles":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    assert main(["check", "--watch"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "pip install 'assay-ls[watch]'" in err


@pytest.mark.parametrize(
    ("arguments", "words"), [(["-"], "standard input"), (["--write-baseline"], "--write-baseline")]
)
def test_what_makes_no_sense_again_and_again_is_refused(project: Path, capsys, arguments, words: str) -> None:
    assert main(["check", "--watch", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_a_path_that_is_not_there_cannot_be_watched(project: Path, capsys) -> None:
    assert main(["check", "--watch", "missing"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "cannot be watched" in err


def test_a_file_that_is_replaced_at_each_save_stays_watched(watch) -> None:
    Path("a.c").write_text("int x;\n")
    watcher = watch("a.c")
    watcher.until("no findings")
    for text, wanted in (("@find(fake/one)\n", "1 finding (1 warning)"), ("int x;\n", "no findings")) * 2:
        Path("new").write_text(text)
        Path("new").replace("a.c")
        watcher.until(wanted)


def test_a_folder_that_comes_back_is_watched_again(watch) -> None:
    Path("sub.d").mkdir()
    Path("sub.d/a.c").write_text("int x;\n")
    watcher = watch("sub.d")
    watcher.until("no findings")
    Path("sub.d").rename("away")
    Path("sub.d").mkdir()
    Path("sub.d/a.c").write_text("@find(fake/one)\n")
    watcher.until("1 finding (1 warning)")
    Path("sub.d/a.c").write_text("int x;\n")
    watcher.until("no findings")
