import os
from pathlib import Path

import pytest

from assay.server.configuration import Configurations
from assay.server.discovery import discover

C = frozenset({"c"})


@pytest.fixture(autouse=True)
def tree(project: Path) -> Path:
    return project


def write(*names: str, text: str = "") -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


def found(*paths: str) -> list[str]:
    return [target.shown for target in discover(map(Path, paths or (".",)), C, Configurations()).targets]


def skipped(*paths: str) -> dict[str, str]:
    return {skip.shown: skip.reason for skip in discover(map(Path, paths or (".",)), C, Configurations()).skipped}


def test_folders_are_searched_in_order_for_sources_and_not_headers() -> None:
    write("b.c", "a.c", "sub/z.c", "sub/a.i", "x.h", "x.py", "README")
    assert found() == ["a.c", "b.c", "sub/a.i", "sub/z.c"]


def test_a_header_is_checked_when_it_is_named() -> None:
    write("x.h")
    assert found("x.h") == ["x.h"]


def test_other_files_that_are_named_get_a_line() -> None:
    write("x.md")
    assert "ending in .md" in skipped("x.md")["x.md"]


def test_hidden_and_generated_folders_are_left_out_unless_named() -> None:
    write(".git/a.c", ".venv/a.c", "node_modules/a.c", "a.c")
    assert found() == ["a.c"]
    assert found(".venv") == [".venv/a.c"]


def test_overlapping_arguments_give_each_file_once() -> None:
    write("a.c", "sub/b.c")
    assert found("sub/b.c", ".", "sub", "./a.c") == ["sub/b.c", "a.c"]


def test_gitignore_holds_at_every_level_with_negation() -> None:
    write(".gitignore", text="*.c\n!keep.c\n/only_top\nout/\n")
    write("sub/.gitignore", text="!again.c\nkeep.c\n")
    write(
        "a.c", "keep.c", "sub/again.c", "sub/keep.c", "sub/other.c", "out/keep.c", "only_top/keep.c", "sub/only_top/x.i"
    )
    assert found() == ["keep.c", "sub/again.c", "sub/only_top/x.i"]


def test_a_file_that_is_named_is_checked_though_ignored() -> None:
    write(".gitignore", text="*.c\n")
    write("a.c")
    assert found("a.c") == ["a.c"]
    assert found() == []


def test_rules_above_the_searched_folder_hold_inside_a_repository() -> None:
    write(".gitignore", text="gen_*.c\n")
    write("sub/gen_a.c", "sub/b.c")
    assert found("sub") == ["sub/b.c", "sub/gen_a.c"]
    Path(".git").mkdir()
    assert found("sub") == ["sub/b.c"]


def test_an_ignored_folder_that_is_named_is_searched() -> None:
    Path(".git").mkdir()
    write(".gitignore", text="out/\n")
    write("out/a.c")
    assert found("out") == ["out/a.c"]


def test_the_repository_exclude_file_counts() -> None:
    write(".git/info/exclude", text="private/\n")
    write("private/a.c", "b.c")
    assert found() == ["b.c"]


def test_a_line_that_is_no_pattern_is_passed_over() -> None:
    write(".gitignore", text="!\n# note\n\na.c\n")
    write("a.c", "b.c")
    assert found() == ["b.c"]


def test_excluded_paths_are_relative_to_the_configuration() -> None:
    write("assay.toml", text='exclude = ["gen/", "/top.c"]\n')
    write("gen/a.c", "top.c", "sub/top.c")
    write("other/assay.toml", text="")
    write("other/gen/b.c")
    assert found() == ["other/gen/b.c", "sub/top.c"]


def test_a_cyclic_folder_link_gives_a_line_and_ends() -> None:
    write("sub/a.c")
    Path("sub/up").symlink_to("..")
    assert found() == ["sub/a.c"]
    assert "leads back to a folder above it" in skipped()["sub/up"]


def test_cyclic_and_broken_file_links_give_a_line() -> None:
    Path("a.c").symlink_to("b.c")
    Path("b.c").symlink_to("a.c")
    Path("lost.c").symlink_to("nowhere.c")
    Path("lost.txt").symlink_to("nowhere.txt")
    assert found() == []
    assert sorted(skipped()) == ["a.c", "b.c", "lost.c"]


def test_a_link_to_a_file_is_the_file() -> None:
    write("z.c")
    Path("a.c").symlink_to("z.c")
    Path("folder").mkdir()
    Path("linked").symlink_to("folder")
    write("folder/b.c")
    assert found() == ["folder/b.c", "z.c"]
    assert found("a.c") == ["a.c"]


def test_a_folder_named_like_a_source_file_is_told_and_searched() -> None:
    write("odd.c/inner.c")
    assert found() == ["odd.c/inner.c"]
    assert "folder with the name of a source file" in skipped()["odd.c"]
    assert found("odd.c") == ["odd.c/inner.c"]
    assert "odd.c" in skipped("odd.c")


def test_a_missing_path_is_fatal_only_when_named() -> None:
    (skip,) = discover([Path("nope.c")], C, Configurations()).skipped
    assert skip.fatal
    assert "does not exist" in skip.reason


def test_an_unreadable_folder_gives_a_line(monkeypatch) -> None:
    write("sub/a.c", "b.c")
    real = os.scandir

    def refusing(path):
        if Path(path).name == "sub":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", refusing)
    assert found() == ["b.c"]
    assert "The folder may not be read" in skipped()["sub"]


def test_names_that_are_not_text_are_shown_readably() -> None:
    Path(os.fsdecode(b"caf\xe9.c")).write_text("")
    assert found() == ["caf\\xe9.c"]


@pytest.fixture
def deep_file(tree: Path):
    """A file below more folders than a recursive function could enter, taken away again step by step."""
    folders = [Path("/".join(["d"] * depth)) for depth in range(1, 1201)]
    for folder in folders:
        folder.mkdir()
    file = folders[-1] / "a.c"
    file.write_text("")
    yield file
    file.unlink()
    for folder in reversed(folders):
        folder.rmdir()


def test_deep_folders_are_searched_without_recursion(deep_file: Path) -> None:
    assert found() == [deep_file.as_posix()]


def test_a_folder_whose_entries_may_not_be_seen_stops_nothing(monkeypatch) -> None:
    write("open/x.c", "shut/x.c")
    real = os.stat

    def refuse(path, *rest, **options):
        if str(path).endswith(("shut/x.c", "shut/.git")):
            raise PermissionError(13, "Permission denied")
        return real(path, *rest, **options)

    monkeypatch.setattr(os, "stat", refuse)
    assert found(".") == ["open/x.c", "shut/x.c"]
    assert found("shut") == ["shut/x.c"]
