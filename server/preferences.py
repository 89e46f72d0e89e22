"""The settings that hold for each document: project files below, the editor's settings on top.

A mistake in either is told once, in one clear message, and the last settings that were right stay in force.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from attrs import define, field

from assay.features.settings import Settings
from assay.server import jobs

SECTION = "assay"
CLIENT_KEYS = frozenset({"path", "trace", "server"})
"""Keys of the section that belong to the editor's plugin, such as ``assay.trace.server``."""


def cleaned(raw: Any) -> dict[str, Any]:
    """Give an editor's settings without what is unset (null) and without the plugin's own keys."""
    if not isinstance(raw, Mapping):
        return {}
    return {key: value for key, value in _without_nulls(raw).items() if key not in CLIENT_KEYS}


def _without_nulls(raw: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in raw.items() if value is not None}
    return {key: _without_nulls(value) if isinstance(value, Mapping) else value for key, value in kept.items()}


def from_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Read settings from ``initializationOptions``, whether bare, under ``settings`` or under ``assay``."""
    inner = options.get("settings", options)
    return cleaned(inner.get(SECTION, inner) if isinstance(inner, Mapping) else None)


@define(eq=False)
class Preferences:
    """The editor's settings, and what the analysis processes found to hold where.

    `tell` hears about a mistake, `settled` that it is gone.

    No file is read here: an analysis process reads the project's files, where the rules that they name are known.
    """

    tell: Callable[[str], None]
    settled: Callable[[str], None]
    everywhere: dict[str, Any] = field(factory=dict)
    by_folder: dict[Path, dict[str, Any]] = field(factory=dict)
    _good: dict[Path | None, Settings] = field(factory=dict)
    _wrong: dict[Path | None, str] = field(factory=dict)

    def set(self, everywhere: Mapping[str, Any], by_folder: Mapping[Path, Mapping[str, Any]]) -> None:
        """Take the editor's settings: for each workspace folder, and for everything outside them."""
        self.everywhere = dict(everywhere)
        self.by_folder = {folder: dict(raw) for folder, raw in by_folder.items()}

    def scope(self, path: Path | None) -> jobs.Scope:
        """Give what determines the settings of a file (None for a document without one)."""
        around = [folder for folder in self.by_folder if path is not None and path.is_relative_to(folder)]
        root = max(around, key=lambda folder: len(folder.parts), default=None)
        raw = self.everywhere if root is None else self.by_folder[root]
        return jobs.Scope(raw, self._good.get(_folder(path)) or Settings(), root)

    def learn(self, path: Path | None, began: jobs.Began) -> None:
        """Keep settings that could be read, and tell why others could not."""
        folder = _folder(path)
        if began.problem is not None:
            self._wrong[folder] = began.problem
            self.tell(began.problem)
            return
        self._good[folder] = began.settings
        if (problem := self._wrong.pop(folder, None)) is not None:
            self.settled(problem)


def _folder(path: Path | None) -> Path | None:
    return None if path is None else path.parent
