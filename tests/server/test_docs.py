from pathlib import Path

from assay.features.settings import walk
from assay.server.docs import main, pages

DOCS = Path(__file__).parents[2] / "docs"


def test_the_pages_in_the_repository_are_those_the_code_gives() -> None:
    assert main(["--check", "--folder", str(DOCS)]) == 0


def test_every_setting_has_a_section() -> None:
    assert all(f"## `{key}`" in pages()["settings.md"] for key, _ in walk())


def test_drift_is_told_and_then_repaired(tmp_path: Path, capsys) -> None:
    (tmp_path / "settings.md").write_text("old")
    assert main(["--check", "--folder", str(tmp_path)]) == 1
    assert "settings.md is out of date" in capsys.readouterr().err
    assert main(["--folder", str(tmp_path)]) == 0
    assert main(["--check", "--folder", str(tmp_path)]) == 0
