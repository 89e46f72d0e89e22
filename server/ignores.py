"""The .gitignore rules that hold at a place: nested files, negation, and a repository's own exclude file."""

import re
from pathlib import Path

from attrs import frozen
from pathspec import GitIgnoreSpec

from assay.server.sources import mode_of, read_neighbour
from assay.server.wildcards import committed

MAX_BYTES = 1_000_000


def spec_of(lines: list[str]) -> GitIgnoreSpec:
    """Compile patterns in .gitignore syntax; a line that is no pattern is left out, as git does."""
    try:
        spec = GitIgnoreSpec.from_lines(lines)
    except ValueError:
        spec = GitIgnoreSpec.from_lines([line for line in lines if _compiles(line)])
    return GitIgnoreSpec(map(committed, spec.patterns), backend="simple")


def _compiles(line: str) -> bool:
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


@frozen
class Layer:
    """The patterns of one file, which speak of the paths below the folder `base`."""

    base: Path
    spec: GitIgnoreSpec

    def verdict(self, path: Path, folder: bool) -> bool | None:
        """Tell whether the layer ignores a path (True), re-includes it (False), or says nothing (None)."""
        try:
            inside = path.relative_to(self.base).as_posix()
        except ValueError:
            return None
        return self.spec.check_file(inside + "/" if folder else inside).include


@frozen
class Ignores:
    """Layers from the outermost to the innermost; the innermost that says anything decides."""

    layers: tuple[Layer, ...] = ()

    def ignores(self, path: Path, folder: bool) -> bool:
        """Tell whether a file or folder is ignored, given that the folders above it are not."""
        verdicts = (layer.verdict(path, folder) for layer in reversed(self.layers))
        return next((verdict for verdict in verdicts if verdict is not None), False)

    def entering(self, folder: Path) -> "Ignores":
        """Add the rules of a folder's own .gitignore."""
        layer = _layer(folder, folder / ".gitignore")
        return Ignores((*self.layers, layer)) if layer else self


def ignores_at(start: Path) -> Ignores:
    """Collect the rules that hold in the folder `start` from the repository around it, its own file included.

    A start that is itself ignored was asked for by name, so the rules above it do not count.
    """
    above = _repository_path(start)
    if not above:
        return Ignores().entering(start)
    excluded = _layer(above[0], above[0] / ".git" / "info" / "exclude")
    rules = Ignores((excluded,) if excluded else ())
    for folder in above:
        if rules.ignores(folder, folder=True) and folder != above[0]:
            return Ignores().entering(start)
        rules = rules.entering(folder)
    return rules


def _repository_path(start: Path) -> tuple[Path, ...]:
    """List the folders from the root of the repository around `start` down to it; empty outside a repository."""
    chain = (start, *start.parents)
    for depth, folder in enumerate(chain):
        if mode_of(folder / ".git"):
            return tuple(reversed(chain[: depth + 1]))
    return ()


def _layer(base: Path, file: Path) -> Layer | None:
    text = read_neighbour(file, MAX_BYTES)
    lines = [line for line in re.split(r"\r\n|\n", text or "") if line and not line.startswith("#")]
    return Layer(base, spec_of(lines)) if lines else None
