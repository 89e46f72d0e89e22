import json
import os
import subprocess
from pathlib import Path

import pytest

from assay.server.checking import changed
from assay.server.checking.git import git_diff
from assay.server.cli.main import main

pytestmark = pytest.mark.usefixtures("fake_feature")


def git(*arguments: str) -> None:
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "PATH": os.environ["PATH"]}
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(("git", *identity, *arguments), check=True, capture_output=True, env=quiet)


@pytest.fixture
def repository(project: Path) -> Path:
    git("init", "-q")
    (project / "a.c").write_text("@find(fake/one)\n@find(fake/two)\n")
    git("add", ".")
    git("commit", "-qm", "first")
    return project


def since(capsys, revision: str = "HEAD", *arguments: str):
    status = main(["check", "--format", "json", "--since", revision, *arguments])
    out, err = capsys.readouterr()
    found = [(one["path"], one["code"]) for one in json.loads(out)["findings"]] if out else None
    return status, found, err


def test_nothing_changed_gives_nothing(repository: Path, capsys) -> None:
    assert since(capsys) == (0, [], "")


def test_only_findings_on_changed_lines_are_told(repository: Path, capsys) -> None:
    Path("a.c").write_text("int x;\n@find(fake/one)\n@find(fake/two) \n")
    assert since(capsys) == (1, [("a.c", "fake/two")], "")


def test_a_related_place_on_a_changed_line_counts(repository: Path, capsys) -> None:
    Path("a.c").write_text("@find(fake/one)\n@find(fake/two)\n@also(x)\n")
    assert since(capsys)[1] == [("a.c", "fake/one"), ("a.c", "fake/two")]


def test_a_related_place_in_a_changed_header_counts(repository: Path, capsys) -> None:
    Path("b.c").write_text("@find(fake/one) @there(b.h)\n")
    Path("b.h").write_text("old\n")
    git("add", ".")
    git("commit", "-qm", "second")
    assert since(capsys)[1] == []
    Path("b.h").write_text("new\n")
    assert since(capsys)[1] == [("b.c", "fake/one")]


def test_only_the_changed_lines_of_a_renamed_file_count(repository: Path, capsys) -> None:
    Path("sub").mkdir()
    Path("a.c").write_text("@find(fake/one)\n" + "same\n" * 9)
    git("commit", "-qam", "second")
    git("mv", "a.c", "sub/b.c")
    assert since(capsys) == (0, [], "")
    Path("sub/b.c").write_text("@find(fake/one)\n" + "same\n" * 9 + "@find(fake/two)\n")
    assert since(capsys) == (1, [("sub/b.c", "fake/two")], "")


def test_renames_are_asked_for_once_in_each_repository(repository: Path, capsys, monkeypatch) -> None:
    lines = "@find(fake/one)\n" + "same\n" * 9
    for place in (repository, repository / "inner"):
        for folder in ("one", "two"):
            (place / folder).mkdir(parents=True)
            (place / folder / "a.c").write_text(lines.replace("same", folder))
        git("-C", str(place), "init", "-q")
        git("-C", str(place), "add", "one", "two")
        git("-C", str(place), "commit", "-qm", "files")
        for folder in ("one", "two"):
            git("-C", str(place), "mv", f"{folder}/a.c", f"{folder}/b.c")
    asked = []

    def noted(folder: Path, *arguments: str):
        asked.extend([folder] * ("--name-status" in arguments))
        return git_diff(folder, *arguments)

    monkeypatch.setattr(changed, "git_diff", noted)
    assert since(capsys) == (0, [], "")
    assert sorted(asked) == [repository.resolve(), repository.resolve() / "inner"]


def test_all_lines_of_an_unresolved_conflict_count(repository: Path, capsys) -> None:
    git("checkout", "-qb", "other")
    Path("a.c").write_text("@find(fake/one) other\n")
    git("commit", "-qam", "other")
    git("checkout", "-q", "-")
    Path("a.c").write_text("@find(fake/one) here\n")
    git("commit", "-qam", "here")
    with pytest.raises(subprocess.CalledProcessError):
        git("merge", "-q", "other")
    assert since(capsys)[1] == [("a.c", "fake/one"), ("a.c", "fake/one")]


def test_a_file_unknown_to_git_is_changed_as_a_whole(repository: Path, capsys) -> None:
    Path("new.c").write_text("@find(fake/one)\n")
    assert since(capsys)[1] == [("new.c", "fake/one")]
    git("add", "new.c")
    assert since(capsys)[1] == [("new.c", "fake/one")]


def test_names_that_git_could_read_as_patterns_are_names(repository: Path, capsys) -> None:
    for name in (":(top)x.c", "*.c", "a b\t.c"):
        Path(name).write_text("@find(fake/one)\n")
    git("--literal-pathspecs", "add", "--", ":(top)x.c", "*.c", "a b\t.c")
    git("commit", "-qm", "odd names")
    assert since(capsys)[1] == []


def test_deleted_lines_change_nothing_that_is_left(repository: Path, capsys) -> None:
    Path("a.c").write_text("@find(fake/two)\n")
    assert since(capsys)[1] == []


@pytest.mark.parametrize("revision", ["nope", "--output=x", "HEAD:a.c"])
def test_an_unknown_revision_is_told(repository: Path, capsys, revision: str) -> None:
    assert main(["check", f"--since={revision}"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "git knows no revision" in err
    assert not Path("x").exists()


def test_outside_a_repository_it_is_told(project: Path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(project.parent))
    Path("a.c").write_text("")
    status, found, err = since(capsys)
    assert (status, found) == (2, None)
    assert "is not in a git repository" in err


def test_without_git_it_is_told(repository: Path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    status, found, err = since(capsys)
    assert (status, found) == (2, None)
    assert "Install git" in err


def test_git_that_cannot_be_started_is_told(repository: Path, capsys, monkeypatch) -> None:
    Path("bin").mkdir()
    Path("bin/git").write_bytes(b"\x7fELF and nothing else")
    Path("bin/git").chmod(0o755)
    monkeypatch.setenv("PATH", str(Path("bin").absolute()))
    status, found, err = since(capsys)
    assert (status, found) == (2, None)
    assert "`git` cannot be started" in err


@pytest.mark.parametrize(
    ("key", "attributes"),
    [
        ("filter.evil.clean", "*.c filter=evil"),
        ("filter.evil.process", "*.c filter=evil"),
        ("filter.e=v.il.clean", "*.c filter=e=v.il"),
        ("diff.evil.textconv", "*.c diff=evil"),
        ("diff.evil.command", "*.c diff=evil"),
        ("diff.external", ""),
        ("core.fsmonitor", ""),
    ],
)
def test_no_program_that_the_repository_names_is_run(repository: Path, capsys, key: str, attributes: str) -> None:
    git("config", key, "touch ran;")
    git("config", "filter.evil.required", "true")
    Path(".git/info/attributes").write_text(attributes)
    Path("a.c").write_text("@find(fake/one)\n@find(fake/two) \n")
    assert since(capsys) == (1, [("a.c", "fake/two")], "")
    assert not list(repository.glob("**/ran"))


def test_no_hook_of_the_repository_is_run(repository: Path, capsys) -> None:
    for name in ("post-index-change", "fsmonitor-watchman"):
        hook = Path(".git/hooks", name)
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\ntouch ran\n")
        hook.chmod(0o755)
    os.utime("a.c", (1, 1))  # git sees that it must look, and would write down what it saw
    assert since(capsys) == (0, [], "")
    assert not list(repository.glob("**/ran"))


def test_places_that_git_tells_its_hooks_hold_in_every_folder(repository: Path, capsys, monkeypatch) -> None:
    Path("sub").mkdir()
    Path("sub/b.c").write_text("@find(fake/one)\n@find(fake/two)\n")
    git("add", ".")
    git("commit", "-qm", "second")
    Path("sub/b.c").write_text("@find(fake/one)\n@find(fake/two) \n")
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    monkeypatch.setenv("GIT_WORK_TREE", ".")
    assert since(capsys) == (1, [("sub/b.c", "fake/two")], "")


def test_a_commit_in_the_making_is_compared_with_the_last_one(repository: Path, capsys) -> None:
    Path("a.c").write_text("@find(fake/one)\n@find(fake/two) \n")
    assert main(["check", "--pre-commit", "--format", "json", "a.c"]) == 1
    assert [one["code"] for one in json.loads(capsys.readouterr().out)["findings"]] == ["fake/two"]


CONFLICT = "int x;\n<<<<<<< HEAD\nint a;\n=======\nint b;\n>>>>>>> other\n"


def pre_commit(capsys, *arguments: str) -> tuple[int, str]:
    status = main(["check", "--pre-commit", *arguments])
    return status, capsys.readouterr().out


@pytest.mark.parametrize("quiet", [(), ("--quiet",)], ids=["told", "quiet"])
def test_a_commit_of_an_unresolved_conflict_is_refused(repository: Path, capsys, quiet: tuple[str, ...]) -> None:
    Path("a.c").write_text(CONFLICT)
    git("add", "a.c")
    status, told = pre_commit(capsys, "a.c", *quiet)
    assert status == 2
    assert "An unresolved merge conflict is in lines 2 to 6. Resolve it, and `git add` the file." in told


def test_an_unmerged_file_is_refused_as_long_as_its_marks_are_there(repository: Path, capsys) -> None:
    git("checkout", "-qb", "other")
    Path("a.c").write_text("int other;\n")
    git("commit", "-qam", "other")
    git("checkout", "-q", "-")
    Path("a.c").write_text("int here;\n")
    git("commit", "-qam", "here")
    with pytest.raises(subprocess.CalledProcessError):
        git("merge", "-q", "other")
    assert pre_commit(capsys, "a.c")[0] == 2
    Path("a.c").write_text("int here;\n")
    assert pre_commit(capsys, "a.c")[0] == 0


def test_all_files_are_looked_at_for_conflicts_where_none_is_committed(repository: Path, capsys) -> None:
    Path("a.c").write_text(CONFLICT)
    Path("b.c").write_text("int x;\n")
    git("add", ".")
    git("commit", "-qm", "by mistake")
    assert pre_commit(capsys)[0] == 2


def test_a_conflict_that_was_committed_before_does_not_hold_up_other_changes(repository: Path, capsys) -> None:
    Path("a.c").write_text(CONFLICT)
    git("commit", "-qam", "by mistake")
    Path("a.c").write_text(CONFLICT + "int y;\n")
    assert pre_commit(capsys, "a.c")[0] == 0


def test_a_check_that_is_not_for_a_commit_says_nothing_of_conflicts(repository: Path, capsys) -> None:
    Path("a.c").write_text(CONFLICT)
    assert main(["check", "a.c"]) == 0


def test_outside_a_repository_there_is_no_commit_in_the_making(project: Path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(project.parent))
    Path("a.c").write_text("")
    assert main(["check", "--pre-commit"]) == 2
    assert "is not in a git repository" in capsys.readouterr().err
