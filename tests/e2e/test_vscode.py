"""The VS Code extension, packaged, installed, and driven in a real browser against the real server.

Each scenario is one run of VS Code (as code-server, with settings and folders of its own) and of a browser: a file in
``vscode/`` does what a person does and writes down what it saw; the tests here say what that must be.
``vscode/setup.sh`` installs what this needs.
"""

import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

pytestmark = [pytest.mark.e2e, pytest.mark.needs_vscode]

ROOT = Path(__file__).parents[2]
SCENARIOS = Path(__file__).parent / "vscode"
EXAMPLES = ROOT / "examples"
ASSAY = Path(sys.executable).parent / "assay"
LIMIT = 150

SETTINGS: Mapping[str, Any] = {
    "workbench.startupEditor": "none",
    "workbench.colorTheme": "Default Light Modern",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "editor.minimap.enabled": False,
    "editor.occurrencesHighlight": "off",
    "editor.selectionHighlight": False,
    "files.autoSave": "off",
    "telemetry.telemetryLevel": "off",
    "chat.disableAIFeatures": True,
    "update.mode": "none",
    "security.workspace.trust.startupPrompt": "never",
    "security.workspace.trust.banner": "never",
}


@frozen
class Tools:
    """Where Node, code-server and the browser are."""

    folder: Path
    browser: str

    def environment(self) -> dict[str, str]:
        """Give this process's environment, with Node on the PATH."""
        return {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}

    def code_server(self, *arguments: object) -> list[str]:
        """Give the command that runs code-server."""
        entry = self.folder / "node_modules" / "code-server" / "out" / "node" / "entry.js"
        return [str(self.folder / "bin" / "node"), str(entry), *map(str, arguments)]


@frozen
class Window:
    """A folder (or ``.code-workspace`` file) as VS Code opens it: its home, its settings, its programs, its trust."""

    tools: Tools
    extensions: Path
    home: Path
    opened: Path
    trusted: bool = True
    path: tuple[Path, ...] = ()

    def play(self, scenario: str, **task: object) -> dict[str, Any]:
        """Run a scenario in a browser; give what it saw."""
        with self._served() as url:
            kind = "workspace" if self.opened.is_file() else "folder"
            given = {
                "url": f"{url}?{kind}={self.opened}",
                "modules": str(self.tools.folder),
                "chromium": self.tools.browser,
                "failure": str(self.home / "failure"),
                "screenshot": str(self.home / "screenshot.png"),
                "folder": str(self.opened),
                **task,
            }
            done = subprocess.run(
                [self.tools.folder / "bin" / "node", SCENARIOS / f"{scenario}.mjs"],
                env={**self.tools.environment(), "ASSAY_TASK": json.dumps(given)},
                capture_output=True,
                text=True,
                timeout=LIMIT,
                check=False,
            )
        assert done.returncode == 0, f"{done.stderr}\nThe window is in {given['failure']}.png"
        seen: dict[str, Any] = json.loads(done.stdout)
        return seen

    @contextlib.contextmanager
    def _served(self) -> Iterator[str]:
        """Serve VS Code on a free port; everything it started ends with it."""
        settings = self.home / "data" / "User" / "settings.json"
        settings.parent.mkdir(parents=True)
        settings.write_text(json.dumps(SETTINGS))
        command = self.tools.code_server(
            *("--user-data-dir", self.home / "data", "--extensions-dir", self.extensions, "--auth", "none"),
            *("--bind-addr", "127.0.0.1:0", "--config", self.home / "config.yaml"),
            *("--disable-telemetry", "--disable-update-check"),
            *(("--disable-workspace-trust",) if self.trusted else ()),
        )
        process = subprocess.Popen(
            command,
            env=self._environment(),
            cwd=self.home,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            yield _address(process)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()

    def _environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ}
        path = ":".join(map(str, (*self.path, "/usr/bin", "/bin")))
        # VS Code asks the login shell for the PATH, so it is set there too.
        (self.home / ".profile").write_text(f"PATH={shlex.quote(path)}\n")
        own = {"SHELL": "/bin/bash", "HOME": str(self.home), "ASSAY_CACHE_DIR": str(self.home / "cache")}
        return {**kept, **own, "PATH": path}


def _address(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if found := re.search(r"listening on (http://\S+)", line):
            return found[1]
    raise AssertionError("code-server ended:\n" + "".join(said))


@pytest.fixture(scope="session")
def tools() -> Tools:
    asked = subprocess.run([SCENARIOS / "setup.sh", "--where"], capture_output=True, text=True, check=True)
    names = ("chromium", "chromium-browser", "google-chrome")
    return Tools(Path(asked.stdout.strip()), next(found for name in names if (found := shutil.which(name))))


@pytest.fixture(scope="session")
def package(tools: Tools) -> Path:
    """Build the package as a developer does."""
    done = subprocess.run(
        ["make", "vsix"], cwd=ROOT, env=tools.environment(), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return ROOT / "dist" / "assay.vsix"


@pytest.fixture(scope="session")
def extensions(tools: Tools, package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package into a folder of its own."""
    home = tmp_path_factory.mktemp("installed")
    command = tools.code_server("--user-data-dir", home / "data", "--extensions-dir", home / "extensions")
    environment = {**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    subprocess.run(
        [*command, "--install-extension", package], env=environment, capture_output=True, check=True, timeout=120
    )
    assert list((home / "extensions").glob("assay-ls.assay-*"))
    return home / "extensions"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "counters"
    made.mkdir()
    return made


@pytest.fixture
def window(tools: Tools, extensions: Path, tmp_path: Path, folder: Path):
    """Make the window of a test; unless it says otherwise, it opens `folder`."""

    def make(opened: Path = folder, **options: Any) -> Window:
        home = tmp_path / "home"
        home.mkdir()
        return Window(tools, extensions, home, opened, **options)

    return make


def copy_example(name: str, folder: Path) -> Path:
    return Path(shutil.copy(EXAMPLES / name, folder / name))


def link_server(bin_folder: Path) -> Path:
    """Put the server into a folder of programs, as an installation does."""
    bin_folder.mkdir(parents=True)
    (bin_folder / "assay").symlink_to(ASSAY)
    return bin_folder / "assay"


def test_the_extensions_own_tests_pass(tools: Tools, package: Path) -> None:
    done = subprocess.run(
        ["npm", "test"],
        cwd=ROOT / "editors" / "vscode",
        env=tools.environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.findall(r"^. tests (\d+)", done.stdout, re.MULTILINE)[0]) > 20


def test_a_race_is_seen_read_and_suppressed(window, folder: Path) -> None:
    program = copy_example("lost_update_racy.c", folder)
    link_server(folder / ".venv" / "bin")
    before = program.read_text()
    racing = next(line for line in before.splitlines() if "hits++;" in line)

    seen = window().play("race", file=program.name, code="hits++;")

    assert seen["hover"].count("is updated by two threads at once") == 1
    assert "`hits` is updated by two threads at once" in seen["hover"]
    assert "Both updates hold no lock" in seen["hover"]
    assert "started by pthread_create on line 26" in seen["hover"]
    assert "started by pthread_create on line 27" in seen["hover"]
    assert "line 18: hits, update in serve, holds no lock, in both threads" in seen["hover"]
    assert seen["offers"] == ["Suppress race/lost-update on this line", "Explain race/lost-update"]
    after = program.read_text()
    assert after == before.replace(racing, racing + " // assay: ignore[race/lost-update] explain here why this is safe")
    assert seen["squiggles"] == 0
    assert seen["popups"] == []


def test_the_evidence_names_both_accesses(window, folder: Path) -> None:
    """Take the README's picture on the way; ``ASSAY_PICTURE=docs/images/vscode.png`` keeps it."""
    program = copy_example("wrong_lock_racy.c", folder)
    server = link_server(folder / ".venv" / "bin")
    made = window()

    seen = made.play("picture", file=program.name, code="balance += 10;")

    assert seen["hover"].count("is accessed under different locks") == 1
    assert "`balance` is accessed under different locks" in seen["hover"]
    assert "update in `deposit` on line 21 holds `deposit_lock`" in seen["hover"]
    assert "update in `withdraw` on line 32 holds `withdraw_lock`" in seen["hover"]
    assert "run in parallel" in seen["hover"]
    ((running, where), *_) = seen["status"]
    assert re.match(r"Assay \d", running)
    assert where == f"{server} (the virtual environment `.venv` of counters)"
    picture = made.home / "screenshot.png"
    assert _size(picture) == (1280, 720)
    if kept := os.environ.get("ASSAY_PICTURE"):
        shutil.copy(picture, kept)


def test_the_picture_of_the_readme_is_small() -> None:
    picture = ROOT / "docs" / "images" / "vscode.png"
    assert _size(picture) == (1280, 720)
    assert picture.stat().st_size < 300_000
    assert "(docs/images/vscode.png)" in (ROOT / "README.md").read_text()


def _size(picture: Path) -> tuple[int, int]:
    width, height = struct.unpack(">II", picture.read_bytes()[16:24])
    return width, height


def test_without_a_server_the_status_says_what_to_do_and_nothing_pops_up(window, folder: Path) -> None:
    program = copy_example("lost_update_racy.c", folder)
    bin_folder = folder / ".venv" / "bin"

    seen = window().play("missing", file=program.name, server=str(ASSAY), bin=str(bin_folder))

    ((state, advice), *choices) = seen["missing"]
    assert state == "Assay: not found"
    assert "pip install assay-ls" in advice
    assert {"How to Install Assay", "Show the Output"} <= {label for label, _ in choices}
    assert seen["popups"] == []
    assert str(bin_folder / "assay") in seen["found"][0][1]


def test_a_rule_is_explained_and_an_unsaved_document_is_checked(window, folder: Path, tmp_path: Path) -> None:
    (folder / "empty.c").touch()
    server = link_server(tmp_path / "programs")
    text = (EXAMPLES / "lost_update_racy.c").read_text()

    seen = window(path=(server.parent,)).play("untitled", file="empty.c", text=text)

    assert "`hits` is updated by two threads at once" in seen["hover"]
    assert seen["preview"] == "Preview race-lost-update.md"
    assert seen["rules"][0] == "race/lost-update"
    assert seen["picked"] == "Preview race-wrong-lock.md"
    assert seen["status"][0][1] == f"{server} (on the `PATH`)"


def test_each_folder_has_its_settings_and_defaults_do_not_win_over_files(window, tmp_path: Path) -> None:
    """The project's own file, the editor's settings of a folder, and neither."""
    names = ("loud", "quiet", "silenced")
    for name in names:
        folder = tmp_path / name
        folder.mkdir()
        shutil.copy(EXAMPLES / "lost_update_racy.c", folder / f"{name}.c")
    (tmp_path / "quiet" / "assay.toml").write_text('ignore = ["race/lost-update"]\n')
    (tmp_path / "silenced" / ".vscode").mkdir()
    (tmp_path / "silenced" / ".vscode" / "settings.json").write_text('{"assay.races.enabled": false}')
    link_server(tmp_path / "silenced" / ".venv" / "bin")
    opened = tmp_path / "all.code-workspace"
    opened.write_text(json.dumps({"folders": [{"path": name} for name in names]}))

    seen = window(opened).play("folders", files=[f"{name}.c" for name in ("quiet", "silenced", "loud")])

    assert seen["problems"] == {"quiet.c": 0, "silenced.c": 0, "loud.c": 1}
    assert "`.venv` of silenced" in seen["status"][0][1]


def _hostile(folder: Path, marker: Path) -> Path:
    """Fill a folder with a server that leaves a mark when it is run, and settings that name it."""
    server = folder / ".venv" / "bin" / "assay"
    server.parent.mkdir(parents=True)
    server.write_text(f'#!/bin/sh\ntouch "{marker}"\nexec "{ASSAY}" "$@"\n')
    server.chmod(0o755)
    (folder / ".vscode").mkdir()
    settings = {"assay.path": "${workspaceFolder}/.venv/bin/assay", "assay.trust": True}
    (folder / ".vscode" / "settings.json").write_text(json.dumps(settings))
    return server


def test_no_program_of_a_folder_without_trust_is_run(window, folder: Path, tmp_path: Path) -> None:
    program = copy_example("lost_update_racy.c", folder)
    marker = tmp_path / "was-run"
    hostile = _hostile(folder, marker)
    server = link_server(tmp_path / "programs")

    made = window(trusted=False, path=(hostile.parent, server.parent))
    seen = made.play("status", file=program.name, expected="static only")

    assert seen["squiggles"] == 1
    assert seen["status"][0][1] == f"{server} (on the `PATH`)"
    assert "this folder is not trusted" in seen["status"][1][1]
    assert not marker.exists()


def test_the_same_folder_with_trust_runs_what_it_names(window, folder: Path, tmp_path: Path) -> None:
    program = copy_example("lost_update_racy.c", folder)
    marker = tmp_path / "was-run"
    hostile = _hostile(folder, marker)

    seen = window().play("status", file=program.name, expected="set in")

    assert seen["squiggles"] == 1
    assert seen["status"][0][1] == f"{hostile} (set in `assay.path`)"
    assert marker.exists()


def test_a_server_that_dies_is_started_again_and_one_can_be_asked_for(window, folder: Path) -> None:
    program = copy_example("lost_update_racy.c", folder)
    link_server(folder / ".venv" / "bin")

    seen = window().play("restart", file=program.name)

    assert len({*seen["killed"], *seen["afterDeath"]}) == 2
    assert len({*seen["afterDeath"], *seen["afterRestart"]}) == 2
    assert seen["squiggles"] == [1, 1, 1]
    assert seen["popups"] == []


def test_a_named_server_that_is_missing_falls_back_without_a_popup(window, folder: Path) -> None:
    program = copy_example("lost_update_racy.c", folder)
    server = link_server(folder / ".venv" / "bin")
    (folder / ".vscode").mkdir()
    (folder / ".vscode" / "settings.json").write_text('{"assay.path": "/nowhere/assay"}')

    seen = window().play("status", file=program.name, expected="nowhere")

    assert seen["squiggles"] == 1
    assert seen["status"][0][1] == f"{server} (the virtual environment `.venv` of counters)"
    assert seen["status"][1] == ["Note", "/nowhere/assay: there is no such program"]
    assert seen["popups"] == []
