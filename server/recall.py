"""Use the result cache for documents in an editor, where it is worth it: large ones, whose analysis takes a while.

The cache is that of ``assay check``: a file that was checked in the shell opens in the editor with its result, and
the other way round.
"""

import time
from collections.abc import Callable
from pathlib import Path

from attrs import define

from assay.features.feature import Context, Document
from assay.features.pipeline import Report
from assay.server.neighbours import Neighbours

MIN_CHARACTERS = 20_000
"""Shorter documents are analysed faster than a process learns to use the cache."""

MIN_SECONDS = 0.2
"""Results that took less are not stored: an editor makes a new one with every pause in typing."""


@define
class Recall:
    """What one analysis process remembers about the cache; `tell` hears, once, why it cannot be used."""

    tell: Callable[[str], None]
    _code: str = ""
    _usable: bool = True

    def report(
        self, document: Document, context: Context, neighbours: Neighbours, analyse: Callable[[], Report]
    ) -> Report:
        """Give the report of a document: the stored one if nothing it depends on changed, else a new one."""
        if document.path is None or len(document.text) < MIN_CHARACTERS or not self._usable:
            return analyse()
        key = self._key(document, document.path, context)
        if (known := self._get(key, context)) is not None:
            return known
        began = time.monotonic()
        report = analyse()
        if self._usable and not report.partial and time.monotonic() - began >= MIN_SECONDS:
            self._put(key, report, neighbours)
        return report

    def _key(self, document: Document, path: Path, context: Context) -> bytes:
        """Give the key under which ``assay check`` stores the same result."""
        from assay.server.fingerprint import fingerprint
        from assay.server.keys import report_key

        self._code = self._code or fingerprint()
        return report_key(self._code, context.settings, document.language, path, document.text)

    def _get(self, key: bytes, context: Context) -> Report | None:
        from assay.server.cache import Cache, default_folder, digest

        def digest_of(path: str) -> str | None:
            text = context.read(Path(path))
            return None if text is None else digest(text)

        with Cache(default_folder(), self._give_up) as cache:
            return cache.get(key, digest_of)

    def _put(self, key: bytes, report: Report, neighbours: Neighbours) -> None:
        from assay.server.cache import Cache, default_folder, digest

        texts = neighbours.texts().items()
        dependencies = {str(path): None if text is None else digest(text) for path, text in texts}
        with Cache(default_folder(), self._give_up) as cache:
            cache.put(key, report, dependencies)

    def _give_up(self, reason: str) -> None:
        self._usable = False
        self.tell(reason)
