"""What the documents show was seen: their commands run here, their settings load, their links lead somewhere.

A line ``...`` in a shown output stands for any lines, and ``...`` inside a line for any text.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from assay.server.configuration import settings_for

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EDITORS = [path for path in (ROOT / "editors").rglob("README.md") if "node_modules" not in path.parts]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *EDITORS]


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


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


@pytest.mark.parametrize("session", blocks(README, "console"), ids=lambda session: session.split("\n")[0])
def test_a_shown_command_prints_what_is_shown(session: str, tmp_path: Path) -> None:
    command, _, shown = session.partition("\n")
    printed = run(command.removeprefix("$ "), tmp_path)
    assert re.search("(?m)^" + as_pattern(shown) + r"\Z", printed), printed


def test_the_readme_opens_with_the_two_commands() -> None:
    section = README[README.index("## Try it") : README.index("## In the shell")]
    assert "make demo" in section
    assert "make test" in section


def test_every_command_in_the_table_exists(tmp_path: Path) -> None:
    commands = set(re.findall(r"^\| `assay (\w+)", README, re.MULTILINE))
    listed = set(re.findall(r"^    (\w+)  ", run("assay --help", tmp_path), re.MULTILINE))
    assert commands
    assert commands <= listed


@pytest.mark.parametrize("shown", blocks(README, "toml"))
def test_the_shown_settings_load(shown: str, tmp_path: Path) -> None:
    (tmp_path / "assay.toml").write_text(shown, encoding="utf-8")
    settings = settings_for(tmp_path / "file.c")
    assert settings.exclude == ("third_party/",)
    assert settings.races.defines == ("NDEBUG", "WORKERS=8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files(document: Path) -> None:
    text = re.sub(r"^```.*?^```", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    assert [target for target in targets if target and not (document.parent / target).exists()] == []


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_every_named_make_verb_exists(name: str) -> None:
    verbs = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:^    |`)make ([a-z]+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))
    assert named
    assert named <= verbs


def test_every_path_named_to_contributors_exists() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = [path for path in re.findall(r"`([\w./-]+/[\w./-]*)`", text) if "what-is-wrong" not in path]
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []
