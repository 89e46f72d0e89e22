"""Find and read the settings that hold for a file: the nearest ``assay.toml`` or ``pyproject.toml`` above it.

The nearest file wins entirely, unless it says ``extend = "../assay.toml"``; ``assay.toml`` wins over
``pyproject.toml`` in one folder.  Overrides (command line, editor) win over files.
"""

import stat
import tomllib
from codecs import BOM_UTF8
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from attrs import Factory, field, frozen

from assay.analyzers.errors import AssayError, SettingsError
from assay.features.nearest import nearest
from assay.features.registry import rules
from assay.features.settings import Settings
from assay.features.structuring import SettingError, from_leaves, kebab, leaves
from assay.server.sources import Stamp, absolute, mode_of, read_bytes, stamp_of
from assay.server.toml_lines import line_of

NAMES = ("assay.toml", "pyproject.toml")
MAX_BYTES = 1_000_000
MAX_EXTENDS = 8


@frozen
class Exclusion:
    """`patterns` in .gitignore syntax, relative to the folder `root`."""

    root: Path
    patterns: tuple[str, ...]


@frozen
class Configuration:
    """Settings, the file they came from (None for the defaults), and the folder-relative exclusions.

    `baseline_at` is the file and line that set `baseline`; empty when none does.
    """

    settings: Settings = Factory(Settings)
    source: Path | None = None
    exclusions: tuple[Exclusion, ...] = ()
    baseline_at: str = ""


@frozen
class _File:
    """A configuration file, read: flat leaves with paths made absolute, its exclusions, and all files it came from."""

    path: Path
    leaves: Mapping[str, Any]
    exclusions: tuple[Exclusion, ...]
    sources: tuple[Path, ...]
    baseline_at: str


_Stamps = tuple[tuple[Path, Stamp], ...]


@frozen
class Overrides:
    """Settings from a front end that win over files: raw values, and what to call their source in an error."""

    raw: Mapping[str, Any] = Factory(dict)
    source: str = "the editor's settings"

    def leaves(self) -> dict[str, Any]:
        """Check and flatten; raise `SettingsError`."""
        try:
            return _checked(self.raw)
        except SettingError as error:
            raise SettingsError(f"{self.source}: {_sentence('.'.join(error.key), error.reason)}") from error


@frozen
class Configurations:
    """Answers which configuration holds where, reading each file once for each change of it."""

    overrides: Overrides = Factory(Overrides)
    explicit: Path | None = None
    _files: dict[Path, tuple[_Stamps, _File | None]] = field(factory=dict, init=False, repr=False)

    def for_file(self, path: Path | None) -> Configuration:
        """Give the configuration for a file (None for a document without one); raise `SettingsError`."""
        return self.for_folder(None if path is None else path.parent)

    def for_folder(self, folder: Path | None) -> Configuration:
        """Give the configuration for the files of a folder; raise `SettingsError`."""
        return self._made(self._explicit() if self.explicit else self._nearest(folder))

    def entering(self, folder: Path, above: Configuration) -> Configuration:
        """Give the configuration for a folder, given that of the folder above it: what a walk down a tree needs."""
        own = None if self.explicit else self._in(folder)
        return above if own is None else self._made(own)

    def _made(self, file: _File | None) -> Configuration:
        over = self.overrides.leaves()
        if file is None:
            return Configuration(from_leaves(over))
        baseline_at = "" if "baseline" in over else file.baseline_at
        return Configuration(from_leaves({**file.leaves, **over}), file.path, file.exclusions, baseline_at)

    def _explicit(self) -> _File:
        path = absolute(self.explicit or Path())
        found = self._read(path)
        if found is None:
            raise SettingsError(f"{path}: there are no Assay settings in it. Add a `[tool.assay]` table.")
        return found

    def _nearest(self, folder: Path | None) -> _File | None:
        if folder is None:
            return None
        start = absolute(folder)
        return next((found for above in (start, *start.parents) if (found := self._in(above))), None)

    def _in(self, folder: Path) -> _File | None:
        return next((found for name in NAMES if (found := self._read_if_there(folder / name))), None)

    def _read_if_there(self, path: Path) -> _File | None:
        if stamp_of(path) is None:
            self._files.pop(path, None)
            return None
        known = self._files.get(path)
        if known is None or any(stamp_of(source) != stamp for source, stamp in known[0]):
            before = stamp_of(path)
            file = self._read(path)
            stamps = tuple((source, stamp_of(source)) for source in (file.sources if file else ()) if source != path)
            known = self._files[path] = (((path, before), *stamps), file)
        return known[1]

    def _read(self, path: Path) -> _File | None:
        return _load(path, ())


def settings_for(path: Path | None, overrides: Mapping[str, Any] | None = None) -> Settings:
    """Give the settings that hold for a file, for one question; ask a `Configurations` when there are many.

    `overrides` are raw, in any spelling of the keys, and win.  Raises `SettingsError`, whose message names the file,
    the line, the key and the nearest valid one.
    """
    return Configurations(Overrides(overrides or {})).for_file(path).settings


def _load(path: Path, seen: tuple[Path, ...]) -> _File | None:
    """Read a configuration file and what it extends; None for a ``pyproject.toml`` without ``[tool.assay]``."""
    text = _text(path)
    table, prefix = _table(path, text)
    if table is None:
        return None
    own = {key: value for key, value in table.items() if key != "extend"}
    try:
        flat = _checked(own)
    except SettingError as error:
        raise _mistake(path, text, (*prefix, *error.key), ".".join(error.key), error.reason) from error
    base = _extended(path, text, table["extend"], prefix, (*seen, path)) if "extend" in table else None
    named = next((key for key in own if kebab(key) == "baseline"), None)
    baseline_at = "" if named is None else f"{path}:{line_of(text, (*prefix, named))}"
    return _combined(path, flat, base, baseline_at)


def _checked(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Flatten raw settings and see that the rule patterns in them match some installed rule."""
    flat = leaves(raw)
    known = [rule.code for rule in rules()]
    for key in ("select", "ignore"):
        for pattern in flat.get(key, ()):
            if not any(fnmatchcase(code, pattern) for code in known):
                near = " or ".join(f"`{code}`" for code in nearest(pattern, known))
                advice = f"did you mean {near}?" if near else "`assay rules` lists them"
                raise SettingError((key,), f"names `{pattern}`, and no installed rule is called so; {advice}")
    return flat


def _combined(path: Path, flat: dict[str, Any], base: _File | None, baseline_at: str) -> _File:
    if "races.include-paths" in flat:
        flat["races.include-paths"] = tuple(str(path.parent / folder) for folder in flat["races.include-paths"])
    if flat.get("baseline"):
        flat["baseline"] = str(absolute(path.parent / flat["baseline"]))
    inherited = base.exclusions if base and "exclude" not in flat else ()
    own = (Exclusion(path.parent, flat["exclude"]),) if flat.get("exclude") else ()
    sources = (path, *(base.sources if base else ()))
    baseline_at = baseline_at or (base.baseline_at if base else "")
    return _File(path, {**(base.leaves if base else {}), **flat}, (*inherited, *own), sources, baseline_at)


def _text(path: Path) -> str:
    """Read a configuration file, which is UTF-8 as TOML is: a guess at another encoding could change a setting."""
    try:
        data = read_bytes(path, MAX_BYTES)
    except AssayError as error:
        raise SettingsError(f"{path}: the settings cannot be read. {error}") from error
    try:
        text = data.removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        raise _not_utf8(path, data, error.start + len(data) - len(error.object)) from error
    if "\0" in text:
        raise _not_utf8(path, data, data.index(b"\0"))
    return text


def _not_utf8(path: Path, data: bytes, place: int) -> SettingsError:
    line = data.count(b"\n", 0, place) + 1
    return SettingsError(
        f"{path}:{line}: byte {place + 1} of the file ({data[place]:#04x}) is not UTF-8 text, as settings must be. "
        "Save the file as UTF-8."
    )


def _table(path: Path, text: str) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
    """Give the settings in a text (None: there are none), and the keys of the table that holds them."""
    document = _parsed(path, text)
    if path.name == "pyproject.toml":
        return _tool_table(path, text, document)
    _refuse_nesting(path, text, document)
    return document, ()


def _parsed(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(path, text, error) from error
    except (RecursionError, ValueError) as error:
        raise SettingsError(
            f"{path}: a value or key in it is too long or too deep to be read. Settings are short: remove it."
        ) from error


def _tool_table(path: Path, text: str, document: dict[str, Any]) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
    if isinstance(document.get("assay"), dict):
        raise _mistake(
            path, text, ("assay",), "assay", "is no table of `pyproject.toml`; the settings stand under `[tool.assay]`"
        )
    for depth, name in enumerate(("tool", "assay")):
        if name not in document:
            return None, ()
        document = document[name]
        if not isinstance(document, dict):
            raise _mistake(path, text, ("tool", "assay")[: depth + 1], name, "must be a table of settings")
    return document, ("tool", "assay")


def _not_toml(path: Path, text: str, error: tomllib.TOMLDecodeError) -> SettingsError:
    """Put the place that the parser names at the end of its message where the other mistakes have it."""
    what, _, place = str(error).partition(" (at line ")
    line, _, column = place.rstrip(")").partition(", column ")
    if not line.isdecimal():  # "(at end of document)"
        end = text.removesuffix("\n").count("\n") + 1
        return SettingsError(f"{path}:{end}: this is not valid TOML: {error}. Complete what is open there.")
    what = _TWICE.get(what.partition(" ")[2].partition(" ")[0], what) if what.startswith("Cannot ") else what
    return SettingsError(f"{path}:{line}: this is not valid TOML: {what}. Correct it at column {column}.")


_TWICE = {"overwrite": "this key is set twice", "declare": "this table is there twice"}


def _refuse_nesting(path: Path, text: str, document: Mapping[str, Any]) -> None:
    """Tell those who write ``pyproject.toml``'s tables into a file of our own what to leave out."""
    tool = document.get("tool")
    for keys in (("assay",), ("tool", "assay") if isinstance(tool, dict) and "assay" in tool else ("tool",)):
        if isinstance(document.get(keys[0]), dict):
            reason = f"is not needed in {path.name}; write the settings at the top level"
            raise _mistake(path, text, keys, ".".join(keys), reason)


def _extended(path: Path, text: str, target: Any, prefix: tuple[str, ...], seen: tuple[Path, ...]) -> _File:
    if not isinstance(target, str):
        raise _mistake(path, text, (*prefix, "extend"), "extend", "must be the path of another configuration file")
    base = absolute(path.parent / target)
    if base in seen or len(seen) > MAX_EXTENDS:
        raise _mistake(path, text, (*prefix, "extend"), "extend", f"leads back to {base}; break the circle")
    if not stat.S_ISREG(mode_of(base)):
        raise _mistake(
            path, text, (*prefix, "extend"), "extend", f"names {base}, which is not a file; correct the path"
        )
    found = _load(base, seen)
    if found is None:
        raise _mistake(path, text, (*prefix, "extend"), "extend", f"names {base}, which has no `[tool.assay]` table")
    return found


def _mistake(path: Path, text: str, keys: tuple[str, ...], shown: str, reason: str) -> SettingsError:
    return SettingsError(f"{path}:{line_of(text, keys)}: {_sentence(shown, reason)}")


def _sentence(key: str, reason: str) -> str:
    return f"`{key}` {reason}" + ("" if reason.endswith("?") else ".")
