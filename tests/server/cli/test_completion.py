"""``assay completion``: the scripts hold what the parser holds, and bash completes with them."""

import subprocess
import sys
from pathlib import Path

import pytest

from assay.features.registry import rules
from assay.server.cli.main import main, parser
from assay.server.cli.reference import commands

COMPLETE = r"""
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_assay
printf '%s\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def script(tmp_path: Path, capsys):
    """Write the script of a shell; give its path."""

    def write(shell: str) -> Path:
        assert main(["completion", shell]) == 0
        path = tmp_path / f"assay.{shell}"
        path.write_text(capsys.readouterr().out)
        return path

    return write


@pytest.fixture
def complete(script):
    """Complete the last of some words in a real bash."""
    path = script("bash")

    def completed(*words: str) -> list[str]:
        command = ["bash", "--norc", "-c", COMPLETE, "bash", str(path), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
        assert done.stderr == ""
        return [line for line in done.stdout.splitlines() if line]

    return completed


def test_bash_accepts_the_script(script) -> None:
    subprocess.run(["bash", "-n", str(script("bash"))], check=True, timeout=30)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["ch"], ["check"]),
        (["--deb"], ["--debug"]),
        (["check", "--form"], ["--format"]),
        (["check", "--format", "s"], ["sarif"]),
        (["check", "--format", "=", "g"], ["github"]),
        (["check", "--write-b"], ["--write-baseline"]),
        (["--debug", "fix", "--dry"], ["--dry-run"]),
        (["explain", "race/lost"], ["race/lost-update"]),
        (["check", "--select", "assay/unk"], ["assay/unknown-code"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["bench", "r"], ["races"]),
        (["bench", "races", "--li"], ["--limit"]),
        (["check", "src"], []),
        (["check", "--output", "x"], []),
        (["serve", "x"], []),
    ],
)
def test_bash_completes(complete, words: list[str], wanted: list[str]) -> None:
    got = complete("assay", *words)
    assert [word for word in got if not (word.startswith("-") and "" in words)] == wanted


def test_file_names_are_left_to_bash(script, project: Path) -> None:
    assert "complete -o bashdefault -o default -F _assay assay" in script("bash").read_text()


def spelled(flag: str, shell: str) -> str:
    """Give a flag as the script of a shell has it."""
    if shell != "fish":
        return flag
    return f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_option_and_code_is_in_every_script(script, shell: str) -> None:
    text = script(shell).read_text()
    for command in commands(parser()):
        assert command.name.rpartition(" ")[2] in text
        for option in command.options:
            assert all(spelled(flag, shell) in text for flag in option.flags)
    assert all(rule.code in text for rule in rules())


def test_an_unknown_shell_is_told(capsys) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["completion", "csh"])
    assert caught.value.code == 2
    assert "'bash', 'zsh', 'fish'" in capsys.readouterr().err


def test_the_script_starts_no_program(script) -> None:
    assert "assay completion" not in script("bash").read_text()
    assert sys.executable not in script("bash").read_text()
