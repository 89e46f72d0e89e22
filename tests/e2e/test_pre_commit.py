"""The hooks in ``.pre-commit-hooks.yaml``, run by the real pre-commit on real commits.

Most tests use the hooks as local ones that run this environment's ``assay``, which needs no installation; one installs
the repository the way a user's pre-commit does, without the network: its build tools and dependencies are this
environment's.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[2]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
RACY = """#include <pthread.h>
static int hits;
static void *serve(void *unused) {
    hits++;
    return unused;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, serve, 0);
    pthread_create(&second, 0, serve, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
"""
SAFE = RACY.replace("    hits++;\n", "")
SUPPRESSED = RACY.replace("hits++;", "hits++; // assay: ignore[race/lost-update] an estimate is enough")
UNUSED = "int x; // assay: ignore[race/lost-update] left over\n"


class Repository:
    """A git repository with the hooks installed."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder, self.environment = folder, environment

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=check, timeout=300
        )

    def write(self, name: str, text: str, add: bool = True) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if add:
            self.run("git", "add", name)

    def commit(self, *arguments: str) -> tuple[bool, str]:
        """Commit with the hooks; tell whether it was made, and what they said."""
        done = self.run("git", "commit", "-m", "x", *arguments, check=False)
        return done.returncode == 0, done.stdout + done.stderr

    def commit_unchecked(self) -> None:
        self.run("git", "commit", "--no-verify", "-qm", "x")

    def hooks(self, *arguments: str) -> tuple[bool, str]:
        """Run the hooks by hand."""
        done = self.run("pre-commit", "run", *arguments, check=False)
        return done.returncode == 0, done.stdout + done.stderr


def local(hook: dict) -> dict:
    """Give a hook as a local one that runs this environment's command."""
    wanted = {**hook, "language": "system", "entry": f"{sys.executable} -m {hook['entry']}"}
    return {"repo": "local", "hooks": [wanted]}


@pytest.fixture
def make(tmp_path: Path):
    """Make a repository with some of the hooks."""

    def repository(*repos: dict, **changes: str) -> Repository:
        folder = tmp_path / "project"
        folder.mkdir()
        own = {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(tmp_path),
            "PRE_COMMIT_HOME": str(tmp_path / "pre-commit"),
            "ASSAY_CACHE_DIR": str(tmp_path / "cache"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "PRE_COMMIT_COLOR": "never",
        }
        for part in ("AUTHOR", "COMMITTER"):
            own |= {f"GIT_{part}_NAME": "x", f"GIT_{part}_EMAIL": "x@example.org"}
        made = Repository(folder, own | changes)
        made.run("git", "init", "-q", "-b", "main")
        made.write(".pre-commit-config.yaml", yaml.safe_dump({"repos": list(repos)}))
        made.run("pre-commit", "install")
        return made

    return repository


@pytest.fixture
def repository(make) -> Repository:
    return make(local(HOOKS[0]))


def test_the_manifest_is_valid_and_the_hooks_are_the_documented_ones(make) -> None:
    assert [hook["id"] for hook in HOOKS] == ["assay", "assay-fix"]
    made = make()
    assert made.run("pre-commit", "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")).returncode == 0


def test_a_first_commit_with_a_race_is_refused_and_one_that_says_why_is_made(repository: Repository) -> None:
    repository.write("src/a.c", RACY)
    made, told = repository.commit()
    assert not made
    assert "src/a.c:4:5: warning[race/lost-update]" in told
    repository.write("src/a.c", SUPPRESSED)
    assert repository.commit()[0]


def test_a_new_race_is_refused_and_an_old_one_elsewhere_does_not_block(repository: Repository) -> None:
    repository.write("a.c", RACY)
    repository.commit_unchecked()
    repository.write("a.c", RACY.replace("return 0;", "return 1;"))
    assert repository.commit()[0]
    repository.write("a.c", RACY.replace("    hits++;\n", "    hits += 2;\n"))
    made, told = repository.commit()
    assert (made, "race/lost-update" in told) == (False, True)


def test_only_what_is_staged_counts(repository: Repository) -> None:
    repository.write("a.c", SAFE)
    repository.commit_unchecked()
    repository.write("a.c", SAFE.replace("return 0;", "return 1;"))
    repository.write("a.c", RACY, add=False)
    assert repository.commit()[0]
    assert (repository.folder / "a.c").read_text() == RACY
    repository.write("a.c", RACY)
    repository.write("a.c", SAFE, add=False)
    assert not repository.commit()[0]
    assert (repository.folder / "a.c").read_text() == SAFE


def test_a_race_that_another_new_file_would_have_is_found_in_that_file_only(repository: Repository) -> None:
    repository.write("old.c", RACY)
    repository.commit_unchecked()
    repository.write("new.c", SAFE)
    assert repository.commit()[0]
    repository.write("newer.c", RACY)
    made, told = repository.commit()
    assert not made
    assert "newer.c:4:5" in told
    assert "old.c" not in told


@pytest.mark.parametrize("arguments", [("-a",), ("--", "sub/a.c")], ids=" ".join)
def test_a_commit_of_what_is_named_uses_the_index_that_git_makes_for_it(repository: Repository, arguments) -> None:
    repository.write("sub/a.c", SAFE)
    repository.write("sub/b.c", SAFE)
    repository.commit_unchecked()
    repository.write("sub/a.c", RACY, add=False)
    made, told = repository.commit(*arguments)
    assert (made, "race/lost-update" in told) == (False, True)
    repository.write("sub/a.c", SAFE.replace("return 0;", "return 1;"), add=False)
    assert repository.commit(*arguments)[0]


def test_a_commit_in_another_working_tree_is_checked_there(repository: Repository) -> None:
    repository.write("a.c", SAFE)
    repository.commit_unchecked()
    repository.run("git", "worktree", "add", "-q", "../other")
    other = Repository(repository.folder.parent / "other", repository.environment)
    other.write("a.c", RACY)
    assert not other.commit()[0]


def test_all_files_are_checked_as_a_whole(repository: Repository) -> None:
    repository.write("a.c", RACY)
    repository.write("b.c", SAFE)
    repository.commit_unchecked()
    passed, told = repository.hooks("--all-files")
    assert not passed
    assert "a.c:4:5: warning[race/lost-update]" in told


def test_two_revisions_are_compared_as_in_continuous_integration(repository: Repository) -> None:
    repository.write("a.c", RACY)
    repository.commit_unchecked()
    repository.run("git", "checkout", "-qb", "topic")
    repository.write("a.c", RACY.replace("return 0;", "return 1;"))
    repository.commit_unchecked()
    repository.run("git", "checkout", "-q", "main")
    repository.write("a.c", RACY.replace("    hits++;\n", "    hits += 3;\n"))
    repository.commit_unchecked()
    repository.run("git", "checkout", "-q", "topic")
    passed, told = repository.hooks("--from-ref", "main", "--to-ref", "topic")
    assert (passed, "Passed" in told) == (True, True)
    repository.write("a.c", RACY.replace("    hits++;\n", "    hits += 2;\n"))
    repository.commit_unchecked()
    assert not repository.hooks("--from-ref", "main", "--to-ref", "topic")[0]


def test_files_of_other_languages_are_not_passed_on(repository: Repository) -> None:
    repository.write("a.txt", RACY)
    made, told = repository.commit()
    assert (made, "no files to check" in told) == (True, True)


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_merge_whose_conflict_is_added_unresolved_is_refused(make, hook: dict) -> None:
    repository = make(local(hook))
    repository.write("a.c", "int x;\n")
    repository.commit_unchecked()
    for branch, text in (("other", "int other;\n"), ("main", "int here;\n")):
        repository.run("git", "checkout", "-q", *(["-b"] if branch == "other" else []), branch)
        repository.write("a.c", text)
        repository.commit_unchecked()
    assert repository.run("git", "merge", "-q", "other", check=False).returncode != 0
    repository.run("git", "add", "a.c")
    made, told = repository.commit()
    assert (made, "An unresolved merge conflict is in lines 1 to 5" in told) == (False, True)
    repository.write("a.c", "int both;\n")
    assert repository.commit()[0]


def test_fixes_are_applied_where_the_commit_changes_something(make) -> None:
    repository = make(local(HOOKS[1]))
    repository.write("a.c", UNUSED + "int y;\n")
    repository.commit_unchecked()
    repository.write("a.c", UNUSED + UNUSED.replace("x", "y"))
    made, told = repository.commit()
    assert not made
    assert "files were modified by this hook" in told
    assert (repository.folder / "a.c").read_text() == UNUSED + "int y;\n"


def test_the_hooks_install_as_pre_commit_installs_them(make, tmp_path: Path) -> None:
    source = tmp_path / "assay"
    copied = ("src", "server", "features", "models", "kernels", "analyzers")
    for name in copied:
        shutil.copytree(
            ROOT / name, source / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
        )
    for name in ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, source / name)
    packages = str(Path(yaml.__file__).parents[1])
    repository = make(PIP_NO_INDEX="1", PIP_NO_DEPS="1", PIP_NO_BUILD_ISOLATION="0", PYTHONPATH=packages)
    origin = Repository(source, repository.environment)
    for command in (("init", "-q"), ("add", "."), ("commit", "-qm", "x"), ("tag", "v1")):
        origin.run("git", *command)
    hooks = [{"id": "assay"}, {"id": "assay-fix"}]
    config = {"repos": [{"repo": source.as_uri(), "rev": "v1", "hooks": hooks}]}
    repository.write(".pre-commit-config.yaml", yaml.safe_dump(config))
    repository.write("a.c", RACY + UNUSED)
    made, told = repository.commit()
    assert not made
    assert "a.c:4:5: warning[race/lost-update]" in told
    assert (repository.folder / "a.c").read_text() == RACY + "int x;\n"
    assert list((tmp_path / "pre-commit").rglob("bin/assay"))
