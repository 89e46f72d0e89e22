"""Turn the paths on a command line into the files to check, in a fixed order and each once.

Folders are searched for source files (headers are read by the files that include them, so a search leaves them
out); what .gitignore, the settings' ``exclude`` or a hidden folder covers is left out.  A file that is named itself is
always checked.  Links to folders are not followed.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from attrs import frozen

from assay.features.languages import is_header, language_of
from assay.server.configuration import Configuration, Configurations, Exclusion
from assay.server.ignores import Ignores, Layer, ignores_at, spec_of
from assay.server.sources import absolute, explain, mode_of

UNSEARCHED = frozenset({"node_modules", "__pycache__"})
"""Folders that are never searched, besides those whose name begins with a dot."""


@frozen
class Target:
    """A file to check: its absolute path, the path shown for it, its language, and whether it was asked for by name."""

    path: Path
    shown: str
    language: str
    named: bool = False


@frozen
class SkippedPath:
    """A path that is not checked, and why; `fatal` when it was asked for by name and cannot be had."""

    shown: str
    reason: str
    fatal: bool = False


@frozen
class Discovered:
    """What there is to check, and what was passed over, both in order."""

    targets: tuple[Target, ...]
    skipped: tuple[SkippedPath, ...]


def discover(paths: Iterable[Path], languages: frozenset[str], configurations: Configurations) -> Discovered:
    """List the files to check below `paths`; raise `SettingsError` when a configuration on the way is wrong."""
    found = [item for path in paths for item in _argument(path, languages, configurations)]
    skipped = tuple(dict.fromkeys(item for item in found if isinstance(item, SkippedPath)))
    return Discovered(tuple(_once([item for item in found if isinstance(item, Target)])), skipped)


def shown(path: Path) -> str:
    """Give the path to show: relative below the working folder, with undecodable bytes spelled out."""
    here = absolute(Path())
    short = path.relative_to(here) if path.is_relative_to(here) else path
    return os.fsencode(short.as_posix()).decode("utf-8", "backslashreplace")


def _once(targets: list[Target]) -> Iterator[Target]:
    """Drop files that are reached twice; a link yields to the file it leads to."""
    links = {target.path for target in targets if stat.S_ISLNK(mode_of(target.path, follow=False))}
    ordered = sorted(range(len(targets)), key=lambda n: (targets[n].path in links, n))
    owners: dict[str, int] = {}
    for number in ordered:
        owners.setdefault(os.path.realpath(targets[number].path), number)
    return (targets[number] for number in sorted(owners.values()))


def _argument(given: Path, languages: frozenset[str], configurations: Configurations) -> Iterator[Target | SkippedPath]:
    path = absolute(given)
    try:
        is_folder = stat.S_ISDIR(path.stat().st_mode)
    except (OSError, ValueError) as error:
        yield SkippedPath(shown(path), explain(error), fatal=True)
        return
    if is_folder:
        yield from _search(path, languages, configurations)
    else:
        yield _named(path, languages)


def _named(path: Path, languages: frozenset[str]) -> Target | SkippedPath:
    language = language_of(path)
    if language in languages:
        return Target(path, shown(path), language or "", named=True)
    kind = f"files ending in {path.suffix}" if path.suffix else "files without a suffix"
    return SkippedPath(
        shown(path), f"No installed feature checks {kind}. Languages checked: {', '.join(sorted(languages)) or 'none'}."
    )


@frozen
class _Folder:
    """A folder still to be searched, with the rules and the configuration that hold in it."""

    path: Path
    ignores: Ignores
    configuration: Configuration


def _search(root: Path, languages: frozenset[str], configurations: Configurations) -> Iterator[Target | SkippedPath]:
    """Walk a folder in sorted order without recursion, so that no depth of folders can overflow the stack."""
    start = _Folder(root, ignores_at(root), configurations.for_folder(root))
    pending: list[_Folder | Target | SkippedPath] = [start]
    if language_of(root) in languages:
        yield _odd_folder(root)
    while pending:
        item = pending.pop()
        if isinstance(item, _Folder):
            pending.extend(reversed(_listed(item, languages, configurations)))
        else:
            yield item


def _listed(
    folder: _Folder, languages: frozenset[str], configurations: Configurations
) -> list[_Folder | Target | SkippedPath]:
    try:
        with os.scandir(folder.path) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        return [SkippedPath(shown(folder.path), explain(error).replace("The file", "The folder"))]
    found: list[_Folder | Target | SkippedPath] = []
    for entry in listed:
        found += _entry(entry, folder, languages, configurations)
    return found


def _entry(
    entry: "os.DirEntry[str]", above: _Folder, languages: frozenset[str], configurations: Configurations
) -> Iterator[_Folder | Target | SkippedPath]:
    path = above.path / entry.name
    try:
        is_folder = entry.is_dir()
    except OSError as error:
        yield SkippedPath(shown(path), explain(error))
        return
    language = None if is_header(path) else language_of(path)
    wanted = language if language in languages else None
    if (not is_folder and wanted is None and not entry.is_symlink()) or _unsearched(entry.name, is_folder):
        return
    if above.ignores.ignores(path, is_folder) or _excluded(above.configuration.exclusions).ignores(path, is_folder):
        return
    if is_folder and not entry.is_symlink():
        yield from [_odd_folder(path)] if wanted is not None else []
        yield _Folder(path, above.ignores.entering(path), configurations.entering(path, above.configuration))
    elif is_folder:
        yield from _folder_link(path)
    elif entry.is_symlink():
        yield from _link(path, wanted)
    elif wanted is not None:
        yield Target(path, shown(path), wanted)


def _unsearched(name: str, is_folder: bool) -> bool:
    return is_folder and (name.startswith(".") or name in UNSEARCHED)


def _folder_link(path: Path) -> Iterator[SkippedPath]:
    target = Path(os.path.realpath(path))
    if Path(os.path.realpath(path.parent)).is_relative_to(target):
        yield SkippedPath(shown(path), f"The link leads back to a folder above it ({target}), so it is not followed.")


def _odd_folder(path: Path) -> SkippedPath:
    return SkippedPath(shown(path), "This is a folder with the name of a source file; the files in it are checked.")


def _link(path: Path, wanted: str | None) -> Iterator[Target | SkippedPath]:
    """A link to a file is the file; one that leads in a circle is always told, a broken one if it looks like source."""
    try:
        path.stat()
    except FileNotFoundError:
        if wanted is not None:
            yield SkippedPath(shown(path), "The link leads to a file that does not exist. Repair or remove it.")
    except OSError as error:
        yield SkippedPath(shown(path), explain(error))
    else:
        if wanted is not None:
            yield Target(path, shown(path), wanted)


@cache
def _excluded(exclusions: tuple[Exclusion, ...]) -> Ignores:
    return Ignores(tuple(Layer(one.root, spec_of(list(one.patterns))) for one in exclusions))
