from pathlib import Path

from assay.features.settings import walk
from assay.server.docs import GENERATED, pages

DOCS = Path(__file__).parents[2] / "docs"


def test_the_pages_in_the_repository_are_those_the_code_gives() -> None:
    assert GENERATED.main(["--check", "--folder", str(DOCS)]) == 0


def test_every_setting_has_a_section() -> None:
    assert all(f"## `{key}`" in pages()["settings.md"] for key, _ in walk())


def test_a_page_of_a_rule_that_is_no_more_is_told_and_then_removed(tmp_path: Path, capsys) -> None:
    assert GENERATED.main(["--folder", str(tmp_path)]) == 0
    old = tmp_path / "rules" / "race-renamed.md"
    old.write_text("# race/renamed")
    assert GENERATED.main(["--check", "--folder", str(tmp_path)]) == 1
    assert f"{old} is out of date" in capsys.readouterr().err
    assert GENERATED.main(["--folder", str(tmp_path)]) == 0
    assert not old.exists()
    assert GENERATED.main(["--check", "--folder", str(tmp_path)]) == 0


def test_drift_is_told_and_then_repaired(tmp_path: Path, capsys) -> None:
    (tmp_path / "settings.md").write_text("old")
    assert GENERATED.main(["--check", "--folder", str(tmp_path)]) == 1
    assert "settings.md is out of date" in capsys.readouterr().err
    assert GENERATED.main(["--folder", str(tmp_path)]) == 0
    assert GENERATED.main(["--check", "--folder", str(tmp_path)]) == 0
