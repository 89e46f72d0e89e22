"""What the README and the guide for contributors say about this repository holds."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from documents import ROOT, blocks

from assay.server.configuration import settings_for

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_opens_with_three_lines_the_picture_and_the_two_commands() -> None:
    title, what, picture, _, commands, *_ = re.split(r"\n\n+", README)
    assert title == "# Assay"
    assert len(what.splitlines()) == 3
    (file,) = re.findall(r"^!\[.+\]\((\S+)\)$", picture)
    assert (ROOT / file).is_file()
    assert re.findall(r"^    make (\w+) ", commands, re.MULTILINE) == ["demo", "test"]


def test_the_table_names_every_command_of_a_user() -> None:
    listing = subprocess.run([sys.executable, "-m", "assay", "--help"], capture_output=True, text=True, check=True)
    commands = set(re.findall(r"^    (\w+)(?:  |$)", listing.stdout, re.MULTILINE))
    assert set(re.findall(r"^\| `assay (\w+)", README, re.MULTILINE)) == commands - {"bench"}


@pytest.mark.parametrize("shown", blocks(README, "toml"))
def test_the_shown_settings_load(shown: str, tmp_path: Path) -> None:
    (tmp_path / "assay.toml").write_text(shown, encoding="utf-8")
    settings = settings_for(tmp_path / "file.c")
    assert settings.exclude == ("third_party/",)
    assert settings.races.defines == ("NDEBUG", "WORKERS=8")


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_every_named_make_verb_exists(name: str) -> None:
    verbs = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:^    |`)make ([a-z]+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))
    assert named
    assert named <= verbs


def test_the_guide_for_contributors_lists_every_make_verb() -> None:
    verbs = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `make (\w+)`", guide, re.MULTILINE)) == verbs - {"help"}


def test_every_path_named_to_contributors_exists() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = [path for path in re.findall(r"`([\w./-]+/[\w./-]*)`", text) if "what-is-wrong" not in path]
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []
