"""Ask git about a repository without running any program that the repository names.

A repository's own configuration may name programs: filters, hooks, monitors, remote helpers. Whoever checks files that
came from elsewhere does not expect those to run, so each of these doors is closed here.
"""

import os
import subprocess
from functools import cache
from pathlib import Path

from assay.analyzers.errors import MissingToolError, UsageError
from assay.server.sources import reason_of

TIMEOUT = 60.0
"""Seconds until an answer of git is given up."""

_SETTINGS = ("core.fsmonitor=false", f"core.hooksPath={os.devnull}")
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",  # a refreshed index would be written, and a hook told
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
}
_FILTERS = r"^filter\..*\.(clean|process|required)$"

Answer = subprocess.CompletedProcess[bytes]


def git(folder: Path, *arguments: str) -> Answer:
    """Run git in a folder; raises `MissingToolError` when there is none, `UsageError` when it does not answer."""
    return _run(folder, arguments, {})


def git_diff(folder: Path, *arguments: str) -> Answer:
    """Compare files of the working tree as they are, without the filters that turn them into what git stores."""
    options = ("--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames")
    return _run(folder, ("diff", *options, *arguments), _no_filters(folder))


def top_of(folder: Path) -> Path:
    """Give the top folder of the repository that a folder is in; raises as `git`, and `UsageError` without one."""
    inside, _, top = git(folder, "rev-parse", "--is-inside-work-tree", "--show-toplevel").stdout.partition(b"\n")
    if inside != b"true":
        raise UsageError(
            f"Changed lines are told by git, and {folder} is not in a git repository. "
            "Run it inside one, or leave out what asks for them (--since, --pre-commit)."
        )
    return Path(os.fsdecode(top.removesuffix(b"\n")))


def first_line(message: bytes) -> str:
    """Give the line of an error message that says the most."""
    return message.decode("utf-8", "replace").strip().partition("\n")[0]


@cache
def _no_filters(folder: Path) -> dict[str, str]:
    """Give the environment that empties every filter the configuration defines; their names may hold any character."""
    listed = git(folder, "config", "-z", "--name-only", "--get-regexp", _FILTERS).stdout
    keys = dict.fromkeys(os.fsdecode(key) for key in listed.split(b"\0") if key)
    first = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
    given = {"GIT_CONFIG_COUNT": str(first + len(keys))}
    for number, key in enumerate(keys, first):
        given[f"GIT_CONFIG_KEY_{number}"] = key
        given[f"GIT_CONFIG_VALUE_{number}"] = "false" if key.endswith(".required") else ""
    return given


def _places() -> dict[str, str]:
    """Give the places that git names to its hooks relative to the folder it runs them in, so that they hold in any."""
    named = ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY")
    return {name: str(Path(os.environ[name]).absolute()) for name in named if os.environ.get(name)}


def _run(folder: Path, arguments: tuple[str, ...], more: dict[str, str]) -> Answer:
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    command = ("git", "-C", os.fspath(folder), "--literal-pathspecs", *settings, *arguments)
    environment = {**os.environ, **_places(), **_ENVIRONMENT, **more}
    try:
        return subprocess.run(command, capture_output=True, timeout=TIMEOUT, stdin=subprocess.DEVNULL, env=environment)
    except FileNotFoundError as error:
        raise MissingToolError(
            "Telling changed lines needs git, and there is no `git` on the PATH. Install git."
        ) from error
    except OSError as error:
        raise MissingToolError(
            f"Telling changed lines needs git, and `git` cannot be started ({reason_of(error)}). Repair it."
        ) from error
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"git did not answer within {TIMEOUT:g} s in {folder}. Check the repository.") from error
