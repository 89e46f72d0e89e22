"""What a process that checks again and again remembers: results, and which other files they depend on."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from attrs import Factory, define, evolve

from assay.features.pipeline import Report
from assay.server.cache import Dependencies


class Store(Protocol):
    """Keeps reports, as `assay.server.cache.Cache` does."""

    def get(self, key: bytes, digest_of: Callable[[str], str | None]) -> Report | None:
        """Give the stored report if everything it depends on is unchanged."""

    def put(self, key: bytes, report: Report, dependencies: Dependencies) -> None:
        """Store a report."""


@define
class Memory:
    """Keeps the reports of this process, before another store where there is one."""

    behind: Store | None = None
    read: set[Path] = Factory(set)
    _known: dict[bytes, tuple[Report, Dependencies]] = Factory(dict)

    def before(self, store: Store | None) -> "Memory":
        """Give the same memory before another store."""
        return evolve(self, behind=store)

    def get(self, key: bytes, digest_of: Callable[[str], str | None]) -> Report | None:
        """Give the stored report if everything it depends on is unchanged; note what was looked at."""

        def noted(path: str) -> str | None:
            self.read.add(Path(path))
            return digest_of(path)

        report, dependencies = self._known.get(key, (None, {}))
        if report is not None and all(noted(path) == known for path, known in dependencies.items()):
            return report
        return None if self.behind is None else self.behind.get(key, noted)

    def put(self, key: bytes, report: Report, dependencies: Dependencies) -> None:
        """Store a report in here and behind."""
        self.read.update(map(Path, dependencies))
        self._known[key] = report, dependencies
        if self.behind is not None:
            self.behind.put(key, report, dependencies)
