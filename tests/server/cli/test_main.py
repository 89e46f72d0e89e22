"""Start-up cost, errors and signals of the command line, seen from outside."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.analyzers.errors import UsageError
from assay.server.cli import main as entry

HEAVY = {"rich", "cattrs", "tree_sitter", "pygls", "lsprotocol", "multiprocessing", "asyncio", "sqlite3", "pathspec"}
PROBE = """
import sys
from assay.server.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
sys.stderr.write(" ".join(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def imported(*arguments: str) -> set[str]:
    command = [sys.executable, "-c", PROBE, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout
    return set(done.stderr.split())


@pytest.mark.parametrize("arguments", [("--version",), ("explain", "race/lost-update"), ("rules",), ("--help",)])
def test_small_commands_import_nothing_heavy(arguments) -> None:
    assert imported(*arguments) & HEAVY == set()


def test_reading_the_command_line_needs_nothing_of_what_the_commands_do() -> None:
    assert imported("--version") & {"attr", "attrs", "difflib", "subprocess", "tempfile", *HEAVY} == set()


def test_a_check_never_imports_the_protocol_nor_rich_into_a_pipe(project: Path) -> None:
    (project / "x.c").write_text("int x;\n")
    assert imported("check", "x.c") & {"pygls", "lsprotocol", "rich", "asyncio"} == set()


def test_the_version_is_printed(run_assay) -> None:
    done = run_assay("--version")
    assert (done.returncode, done.stdout) == (0, "assay 0.1.0\n")


@pytest.mark.parametrize("arguments", [(), ("chek",), ("check", "--jobs", "0"), ("check", "--format", "xml")])
def test_a_wrong_call_is_one_line_and_status_2(run_assay, arguments) -> None:
    done = run_assay(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "--help" in done.stderr


def failing(monkeypatch, error: BaseException) -> None:
    def run(options):
        raise error

    monkeypatch.setattr(entry.rules, "run", run)


def test_an_expected_error_is_its_message(monkeypatch, capsys) -> None:
    failing(monkeypatch, UsageError("This went wrong. Do that."))
    assert entry.main(["rules"]) == 2
    assert capsys.readouterr() == ("", "assay: This went wrong. Do that.\n")


def test_a_bug_is_one_line_that_says_how_to_report_it(monkeypatch, capsys) -> None:
    failing(monkeypatch, KeyError("x"))
    assert entry.main(["rules"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "bug in Assay (KeyError: 'x')" in told
    assert "--debug" in told


@pytest.mark.parametrize("arguments", [["--debug", "rules"], ["rules", "--debug"]])
def test_debug_shows_the_traceback(monkeypatch, capsys, arguments) -> None:
    failing(monkeypatch, KeyError("x"))
    assert entry.main(arguments) == 2
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_is_status_130(monkeypatch, capsys) -> None:
    failing(monkeypatch, KeyboardInterrupt())
    assert entry.main(["rules"]) == 130
    assert capsys.readouterr().err == "assay: interrupted\n"


def test_a_closed_pipe_is_quiet(project: Path) -> None:
    for number in range(300):
        (project / f"{number}.md").write_text("")
    paths = [f"{number}.md" for number in range(300)] * 5
    command = [sys.executable, "-m", "assay", "check", *paths]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=project)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait(timeout=60)


def gone(pid: int) -> bool:
    """Tell whether a process has ended; one that only waits to be collected has."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z"


def eventually(condition) -> bool:
    for _ in range(600):
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_a_check_that_is_stopped(project: Path, number: signal.Signals) -> None:
    fakes = Path(__file__).parent / "fakes"
    (project / "a.c").write_text("@hang")
    (project / "b.c").write_text("@hang")
    process = subprocess.Popen(
        [sys.executable, "-m", "assay", "check", ".", "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(fakes)},
        start_new_session=True,
    )
    notes = [project / "a.pid", project / "b.pid"]
    assert eventually(lambda: all(note.exists() and note.read_text() for note in notes))
    workers = [int(note.read_text()) for note in notes]
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert out == b""
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    assert err == (b"assay: interrupted\n" if number == signal.SIGINT else b"")
    assert eventually(lambda: all(map(gone, workers)))


def shell(line: str, **changes: str | None) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell in which ``$ASSAY`` is the command."""
    environment = {**os.environ, "ASSAY": f"{sys.executable} -P -m assay", **changes}
    given = {name: value for name, value in environment.items() if value is not None}
    return subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=60, env=given)


@pytest.mark.parametrize("unbuffered", ["1", None])
@pytest.mark.parametrize(
    "command", ["check x.c --no-cache", "check x.c --no-cache --format json", "rules", "--version"]
)
def test_output_that_finds_no_room_is_one_line_and_status_2(
    project: Path, command: str, unbuffered: str | None
) -> None:
    (project / "x.c").write_text("int x;\n")
    done = shell(f"ulimit -f 0; $ASSAY {command} > report", PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 2
    assert done.stderr.startswith("assay: Standard output cannot be written (file too large).")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&-"])
def test_closed_streams_cost_only_what_would_go_through_them(project: Path, closed: str) -> None:
    (project / "x.c").write_text("int x;\n")
    done = shell(f"$ASSAY check x.c {closed}")
    assert (done.returncode, done.stderr) == (0, "")
    done = shell(f"$ASSAY check - --stdin-filename x.c {closed}")
    assert (done.returncode, done.stderr) == (0, "")


def test_closed_standard_error_does_not_cost_the_report(project: Path) -> None:
    (project / "x.c").write_text("int x;\n")
    done = shell("$ASSAY check x.c missing.c 2>&-")
    assert done.returncode == 2
    assert "missing.c: skipped" in done.stdout


def test_a_current_folder_that_was_removed_is_told(project: Path) -> None:
    done = shell("mkdir lost && cd lost && rmdir ../lost && $ASSAY check")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "assay: The current folder was removed. Change to a folder that exists, and try again.\n"


@pytest.mark.parametrize("module", ["argparse", "assay.server.cli.check"])
def test_an_interrupt_while_the_command_line_loads_is_quiet_too(project: Path, module: str) -> None:
    hook = f"""
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Finder())
"""
    probe = hook + "from assay.server.entry import main\nsys.argv = ['assay', 'check', '.']\nsys.exit(main())"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "assay: interrupted\n")
