"""The commands that the documents show are run here, or at least understood by the program.

A line ``...`` in a shown output stands for any lines, and ``...`` inside a line for any text.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from documents import DOCUMENTS, ROOT, blocks, name_of, shown_commands

from assay.server.cli.main import parser

SESSIONS = [
    pytest.param(session, id=f"{name_of(document)}: {session.partition(chr(10))[0]}")
    for document in DOCUMENTS
    for session in blocks(document.read_text(encoding="utf-8"), "console")
]
SHOWN = [
    pytest.param(command, id=f"{name_of(document)}: {command}")
    for document in DOCUMENTS
    for command in dict.fromkeys(shown_commands(document.read_text(encoding="utf-8")))
]
PLACEHOLDERS = {
    "N": "1",
    "S": "1",
    "HOST:PORT": "127.0.0.1:0",
    "SHELL": "bash",
    "FILE:LINE": "main.c:1",
    "FILE:LINE:COLUMN": "main.c:1:1",
}


def as_pattern(shown: str) -> str:
    return re.escape(shown).replace(re.escape("...\n"), r"(?:.*\n)*?").replace(re.escape("..."), r".*")


def run(command: str, cache: Path) -> str:
    program, *arguments = shlex.split(command)
    assert program == "assay"
    environment = {**os.environ, "ASSAY_CACHE_DIR": str(cache), "PYTHONIOENCODING": "utf-8"}
    environment.pop("COLUMNS", None)
    return subprocess.run(
        [sys.executable, "-m", "assay", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    ).stdout


def arguments_of(command: str) -> list[str]:
    """Give the arguments of a shown command, optional ones included, with values for its placeholders."""
    one = re.split(r" (?:[|>&;]|[12]>)", command)[0]  # where its output goes is the shell's business
    words = shlex.split(re.sub(r"[\[\]]", "", one))[1:]
    return [PLACEHOLDERS.get(word, word.removesuffix("...")) for word in words]


@pytest.mark.parametrize("session", SESSIONS)
def test_a_shown_session_prints_what_is_shown(session: str, tmp_path: Path) -> None:
    command, _, shown = session.partition("\n")
    printed = run(command.removeprefix("$ "), tmp_path)
    assert re.search("(?m)^" + as_pattern(shown) + r"\Z", printed), printed


def is_understood(arguments: list[str]) -> bool:
    """Tell whether the program accepts the arguments, without running anything."""
    try:
        parser().parse_args(arguments)
    except SystemExit as left:
        return left.code == 0
    return True


def only_names(arguments: list[str]) -> bool:
    """Tell whether a command is only named, without what it works on."""
    return all(re.fullmatch(r"[a-z][a-z-]*", word) for word in arguments)


@pytest.mark.parametrize("command", SHOWN)
def test_a_shown_command_is_one_that_the_program_understands(command: str) -> None:
    arguments = arguments_of(command)
    assert is_understood(arguments) or (only_names(arguments) and is_understood([*arguments, "--help"]))


@pytest.mark.parametrize("command", ["assay chekc PATH", "assay check --no-such-option", "assay nothing"])
def test_a_command_that_the_program_lacks_would_be_noticed(command: str) -> None:
    arguments = arguments_of(command)
    assert not is_understood(arguments)
    assert not (only_names(arguments) and is_understood([*arguments, "--help"]))
