"""A baseline in the settings holds in the editor as it does in the shell."""

from pathlib import Path

from assay.server.cli.main import main

UNUSED = "int x; // assay: ignore[race/lost-update] left over\n"


def codes(client, uri: str) -> list[str]:
    return [item["code"] for item in client.pull(uri)["items"]]


def test_known_findings_are_not_shown_and_new_ones_are(fresh, project: Path) -> None:
    path = project / "a.c"
    path.write_text(UNUSED)
    (project / "assay.toml").write_text('baseline = "known.json"\n')
    assert main(["check", "--write-baseline", "-q"]) == 0
    moved = "int first;\n" + UNUSED
    uri = fresh.open(path.as_uri(), moved, language="c")
    assert codes(fresh, uri) == []
    fresh.change(uri, moved + UNUSED.replace("x", "y"))
    assert codes(fresh, uri) == ["assay/unused-suppression"]


def test_a_missing_baseline_hides_nothing_and_is_told_where_it_is_named(fresh, project: Path) -> None:
    (project / "assay.toml").write_text('# ours\nbaseline = "known.json"\n')
    uri = fresh.open((project / "a.c").as_uri(), UNUSED, language="c")
    assert codes(fresh, uri) == ["assay/unused-suppression"]
    assert f"{project / 'assay.toml'}:2: `baseline` names" in fresh.note("window/logMessage", type=3)["message"]


def test_a_baseline_that_cannot_be_read_hides_nothing(fresh, project: Path) -> None:
    (project / "assay.toml").write_text('baseline = "known.json"\n')
    (project / "known.json").write_text("{")
    uri = fresh.open((project / "a.c").as_uri(), UNUSED, language="c")
    assert codes(fresh, uri) == ["assay/unused-suppression"]
