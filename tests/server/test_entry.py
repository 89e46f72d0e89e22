"""The ``assay`` command: the language server starts without the command line, everything else goes to it."""

import subprocess
import sys

import pytest

from assay.analyzers.errors import UsageError
from assay.server import entry, serve

CLOSED = {"standard input": "<&-", "standard output": ">&-"}


@pytest.mark.parametrize("arguments", [["serve"], ["serve", "--stdio"]])
def test_the_server_is_started_as_editors_call_it_without_the_command_line(monkeypatch, arguments):
    monkeypatch.setattr(sys, "argv", ["assay", *arguments])
    monkeypatch.setattr(serve, "serve", lambda options: 7 if options == serve.ServeOptions() else 8)
    monkeypatch.setitem(sys.modules, "assay.server.cli.main", None)  # importing it would fail
    assert entry.main() == 7


def test_everything_else_goes_to_the_command_line(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["assay", "serve", "--help"])
    with pytest.raises(SystemExit):
        entry.main()
    assert "--tcp" in capsys.readouterr().out


@pytest.mark.parametrize("stream", CLOSED)
def test_a_closed_stream_is_one_clear_line(stream):
    shell = f"exec '{sys.executable}' -P -m assay serve {CLOSED[stream]}"
    done = subprocess.run(["/bin/sh", "-c", shell], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "one of them is closed" in done.stderr


@pytest.mark.parametrize(("error", "line"), [
    (UsageError("It is so. Do this."), "assay: It is so. Do this.\n"),
    (ValueError("a\nbug"), "assay: this is a bug in Assay (ValueError: a bug). Run `assay --debug serve` and report "
                           "what it shows.\n"),
])  # fmt: skip
def test_an_error_is_one_line_without_a_traceback(monkeypatch, capsys, error, line):
    def fail(options):
        raise error

    monkeypatch.setattr(sys, "argv", ["assay", "serve"])
    monkeypatch.setattr(serve, "serve", fail)
    assert entry.main() == 2
    assert capsys.readouterr().err == line
