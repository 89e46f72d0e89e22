"""The configuration that the page for Emacs shows, driven by the real editor against the real server.

Each scenario is one run of Emacs in batch mode: a Lisp file in ``emacs/`` loads the page's own configuration, does what
a person does, and writes down what it saw.
"""

import re
from pathlib import Path

import editor_session
import pytest
from editor_session import OTHER_LINE, RACY, RACY_LINE, Session, make_folder
from needs import emacs_command

pytestmark = [pytest.mark.e2e, pytest.mark.needs_emacs]

SCENARIOS = Path(__file__).parent / "emacs"
PAGE = (Path(__file__).parents[2] / "docs" / "editors" / "emacs.md").read_text(encoding="utf-8")
SETUP, LOCAL_SETTINGS = re.findall(r"^```elisp\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)

TWO_RACES = (
    RACY.replace("static int counter;", "static int counter, level;")
    .replace("    counter++;", "    counter++;\n    level = 1;")
    .replace("    counter--;", "    counter--;\n    if (level)\n        return 0;")
)


def drive(scenario: str, folder: Path, home: Path, **environment: str) -> Session:
    """Run a scenario in `folder`, with the page's configuration and an empty `home`."""
    setup = home / "init.el"
    setup.write_text(SETUP, encoding="utf-8")
    command = [*emacs_command(), "--load", str(SCENARIOS / f"{scenario}.el")]
    return editor_session.drive(command, folder, home, ASSAY_TEST_SETUP=str(setup), **environment)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder, home = make_folder(tmp_path_factory.mktemp("session"), project=True)
    return drive("session", folder, home)


def test_the_session_goes_through_to_its_end(session: Session) -> None:
    assert "problem" not in session.seen, session.seen["problem"]
    assert session.status == 0


def test_the_race_is_a_warning_of_flymake_on_the_racy_line(session: Session) -> None:
    (diagnostic,) = session.seen["diagnostics"]
    assert diagnostic["line"] == RACY_LINE
    assert diagnostic["type"] == "eglot-warning"
    assert "race/lost-update" in diagnostic["text"]
    assert "`counter`" in diagnostic["text"]


def test_eldoc_shows_the_evidence(session: Session) -> None:
    text = session.seen["hover"]
    assert f"line {RACY_LINE + 1}: `counter`" in text
    assert f"line {OTHER_LINE + 1}: `counter`" in text
    assert "hold no lock" in text
    assert "**" not in text, "an editor without Markdown is shown plain text"


def test_explaining_tells_the_rule_and_where_its_page_is(session: Session) -> None:
    assert "race/lost-update: Two threads" in session.seen["explained"]
    assert "https://" in session.seen["explained"]


def test_the_suppression_is_applied_and_saved(session: Session) -> None:
    assert "Suppress race/lost-update on this line" in session.seen["offered"]
    before = RACY.splitlines()
    after = (session.folder / "racy.c").read_text(encoding="utf-8").splitlines()
    (changed,) = [index for index, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    assert changed == RACY_LINE
    assert after[changed].startswith(f"{before[changed]} // assay: ignore[race/lost-update]")


def test_the_server_stops_with_the_editor_and_leaves_no_process(session: Session) -> None:
    assert session.seen["stopped"] is True
    assert session.left_running == ()


@pytest.mark.parametrize(
    ("settings", "codes"),
    [("", ["race/lost-update", "race/read-write"]), (LOCAL_SETTINGS, ["race/lost-update"])],
    ids=["without", "with"],
)
def test_the_shown_directory_settings_reach_the_server(tmp_path: Path, settings: str, codes: list[str]) -> None:
    folder, home = make_folder(tmp_path, project=False)
    (folder / "racy.c").write_text(TWO_RACES, encoding="utf-8")
    (folder / ".dir-locals.el").write_text(settings, encoding="utf-8")
    session = drive("settings", folder, home)
    assert "problem" not in session.seen, session.seen["problem"]
    shown = " ".join(session.seen["diagnostics"])
    assert sorted(set(re.findall(r"race/[\w-]+", shown))) == codes


def test_every_command_that_the_page_names_exists(tmp_path: Path) -> None:
    named = set(re.findall(r"`M-x ([\w-]+)`", PAGE))
    assert named
    folder, home = make_folder(tmp_path, project=False)
    session = drive("commands", folder, home, ASSAY_TEST_COMMANDS=" ".join(named))
    assert "problem" not in session.seen, session.seen["problem"]
    assert session.seen["missing"] == []
