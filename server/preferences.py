"""The settings that hold for each document: project files below, the editor's settings on top.

A mistake in either is told once, in one clear message, and the last settings that were right stay in force.
"""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from attrs import define, field

from assay.analyzers.errors import SettingsError
from assay.features.settings import Settings

SECTION = "assay"
CLIENT_KEYS = frozenset({"trace", "server"})
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
    """Answers which settings hold for a file; `tell` hears about mistakes."""

    tell: Callable[[str], None]
    everywhere: dict[str, Any] = field(factory=dict)
    by_folder: dict[Path, dict[str, Any]] = field(factory=dict)
    _good: dict[Path | None, Settings] = field(factory=dict)
    _readers: dict[str, Any] = field(factory=dict)

    def set(self, everywhere: Mapping[str, Any], by_folder: Mapping[Path, Mapping[str, Any]]) -> None:
        """Take the editor's settings: for each workspace folder, and for everything outside them."""
        self.everywhere = dict(everywhere)
        self.by_folder = {folder: dict(raw) for folder, raw in by_folder.items()}
        self._readers.clear()

    async def for_file(self, path: Path | None) -> Settings:
        """Give the settings for a file (None for a document without one); never raises."""
        folder = None if path is None else path.parent
        try:
            settings = await asyncio.to_thread(self._read, path)
        except SettingsError as error:
            self.tell(str(error))
            return self._good.get(folder) or Settings()
        self._good[folder] = settings
        return settings

    def _read(self, path: Path | None) -> Settings:
        from assay.server.configuration import Configurations, Overrides  # needed at the first document only

        raw = self._scope(path)
        key = repr(raw)
        if key not in self._readers:
            self._readers[key] = Configurations(Overrides(raw))
        settings: Settings = self._readers[key].for_file(path).settings
        return settings

    def _scope(self, path: Path | None) -> dict[str, Any]:
        """Give the raw settings of the innermost workspace folder around a path."""
        around = [folder for folder in self.by_folder if path is not None and path.is_relative_to(folder)]
        return self.by_folder[max(around, key=lambda folder: len(folder.parts))] if around else self.everywhere
