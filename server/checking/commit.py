"""What a run by pre-commit is about: the commit in the making, the revisions that were named, or whole files.

pre-commit puts aside what is not staged, so the files on disk hold what will be committed.  With ``--from-ref`` and
``--to-ref`` it says so in the environment (pre-commit.com, "environment variables").  With ``--all-files`` or
``--files`` it says nothing; but then files take part that the commit does not change.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from assay.server.checking.git import git, git_diff, top_of

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""What git calls a tree without files: the base of a first commit."""


def base_of_commit(paths: Iterable[Path]) -> str | None:
    """Give the revision to compare `paths` with; None when their findings count on whatever line.

    Raises `UsageError` outside a repository.
    """
    listed = list(paths)
    folder = listed[0].parent if listed else Path.cwd()
    top_of(folder)  # there must be one
    named = os.environ.get("PRE_COMMIT_FROM_REF"), os.environ.get("PRE_COMMIT_TO_REF")
    if named[0] and named[1]:
        return _merge_base(folder, named[0], named[1])
    base = "HEAD" if _exists(folder, "HEAD") else _empty_tree(folder)
    return base if all(_differs(path, base) for path in listed) else None


def _merge_base(folder: Path, start: str, end: str) -> str:
    """Compare as pre-commit does, from where both revisions part; a shallow clone may not know where that is."""
    answer = git(folder, "merge-base", "--end-of-options", start, end)
    return answer.stdout.decode().strip() if answer.returncode == 0 else start


def _exists(folder: Path, revision: str) -> bool:
    return git(folder, "rev-parse", "--verify", "--quiet", revision + "^{commit}").returncode == 0


def _empty_tree(folder: Path) -> str:
    """Give the empty tree's name in this repository, whose hash may be another."""
    answer = git(folder, "hash-object", "-t", "tree", os.devnull)
    return answer.stdout.decode().strip() or EMPTY_TREE


def _differs(path: Path, base: str) -> bool:
    return git_diff(path.parent, base, "--quiet", "--", path.name).returncode != 0
