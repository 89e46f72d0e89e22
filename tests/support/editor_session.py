"""What the tests of every editor share: a racy program, an empty home, and a look at what the editor left running."""

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any

from attrs import frozen

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
    """One run of an editor: its exit status, what the scenario saw, and what was left in the folder and running."""

    status: int
    seen: dict[str, Any]
    folder: Path
    left_running: tuple[int, ...]


def make_folder(base: Path, *, project: bool) -> tuple[Path, Path]:
    """Make a folder with the racy program, and an empty home."""
    folder, home = base / "a project", base / "home"
    folder.mkdir()
    home.mkdir()
    (folder / "racy.c").write_text(RACY, encoding="utf-8")
    if project:
        (folder / "assay.toml").write_text("", encoding="utf-8")
    return folder, home


def drive(command: list[str], folder: Path, home: Path, **environment: str) -> Session:
    """Run an editor in `folder` until it ends; the scenario writes what it saw to ``$ASSAY_TEST_SEEN``."""
    mark = uuid.uuid4().hex
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
    assert seen_file.exists(), f"{command[0]} wrote nothing down: {run.stdout}{run.stderr}"
    return Session(run.returncode, json.loads(seen_file.read_text(encoding="utf-8")), folder, left)


def _environment(home: Path, mark: str, **more: str) -> dict[str, str]:
    """Give an environment in which nothing of the user's own configuration is found."""
    places = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    return {
        "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "ASSAY_CACHE_DIR": str(home / "assay"),
        "ASSAY_TEST_MARK": mark,
        "ASSAY_TEST_SEEN": str(home / "seen.json"),
        **places,
        **more,
    }


def _processes_with(mark: str) -> tuple[int, ...]:
    """List the processes that inherited `mark` in their environment, as Linux tells it."""
    assert Path("/proc/self/environ").exists(), (
        "The tests of the editors look for left processes in /proc: run them on Linux."
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
