"""What the editors' pages tell people to configure starts the real server, which then finds a race.

Neovim and Emacs themselves are driven in ``tests/e2e``.
"""

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from documents import DOCS, ROOT, blocks
from editor_session import RACY
from lsp_client import Client

pytestmark = pytest.mark.e2e

PAGES = DOCS / "editors"


def page(name: str) -> str:
    return (PAGES / f"{name}.md").read_text(encoding="utf-8")


def codes_found(command: list[str], folder: Path, settings: dict[str, Any]) -> list[str]:
    """Start the shown command as an editor does, with `settings` as its configuration, and open a racy program."""
    program = str(Path(sys.executable).parent / command[0])
    client = Client(command=[program, *command[1:]])
    try:
        client.settings = settings.get("assay", {})
        client.initialize(initializationOptions=settings)
        uri = client.open((folder / "racy.c").as_uri(), RACY, "c")
        return [item["code"] for item in client.pull(uri)["items"]]
    finally:
        client.close()


def helix() -> tuple[dict[str, Any], dict[str, Any]]:
    """Give the page's two blocks: the setup, and the same with settings."""
    setup, settings = blocks(page("helix"), "toml")
    return tomllib.loads(setup), tomllib.loads(settings)


def test_helix_starts_the_server_for_c(tmp_path: Path) -> None:
    setup, _ = helix()
    server = setup["language-server"]["assay"]
    (language,) = setup["language"]
    assert language["name"] == "c"
    assert "assay" in language["language-servers"]
    assert codes_found([server["command"], *server["args"]], tmp_path, {}) == ["race/lost-update"]


def test_the_settings_shown_for_helix_are_understood(tmp_path: Path) -> None:
    _, settings = helix()
    config = settings["language-server"]["assay"]["config"]
    assert config["assay"]["ignore"] == ["race/read-write"]
    config["assay"]["ignore"] = ["race/lost-update"]
    assert codes_found(["assay", "serve"], tmp_path, config) == []


def test_coc_starts_the_server_for_c(tmp_path: Path) -> None:
    (shown,) = blocks(page("vim"), "json")
    server = json.loads(shown)["languageserver"]["assay"]
    assert server["filetypes"] == ["c"]
    assert codes_found([server["command"], *server["args"]], tmp_path, {}) == ["race/lost-update"]


def test_vim_lsp_starts_the_server_for_c(tmp_path: Path) -> None:
    (shown,) = blocks(page("vim"), "vim")
    (command,) = re.findall(r"server_info->(\[.*?\])", shown)
    assert re.search(r"'allowlist': \['c'\]", shown)
    assert codes_found(json.loads(command.replace("'", '"')), tmp_path, {}) == ["race/lost-update"]


def test_the_page_for_neovim_shows_the_plugins_own_setup() -> None:
    plugin = (ROOT / "editors" / "neovim" / "README.md").read_text(encoding="utf-8")
    assert blocks(page("neovim"), "lua") == blocks(plugin, "lua")


def test_every_editor_has_a_page_and_the_list_names_it() -> None:
    listed = set(re.findall(r"docs/editors/(\w+)\.md", (ROOT / "editors" / "README.md").read_text(encoding="utf-8")))
    assert listed == {path.stem for path in PAGES.glob("*.md")}
