"""Remember reports between runs: SQLite, keyed by everything that a result depends on.

A key is the SHA-256 of the version and code of every feature, the settings, the language, the path and the text.
What an analysis read besides (headers, and places where it looked for one in vain) is stored with the result and
compared before it is used again.  The cache is only ever a shortcut: whatever goes wrong with it, the check goes on
without it and says so once.
"""

import json
import os
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from attrs import Factory, define, field

from assay.features.codec import DecodeError, decode, encode
from assay.features.pipeline import Report

FORMAT = 1
"""Raised when the layout of the table or of the stored values changes; older databases are emptied."""

MAX_BYTES = 200_000_000
BATCH = 64

Dependencies = Mapping[str, str | None]
"""Absolute path to the SHA-256 of its text, or None where nothing could be read."""

_T = TypeVar("_T")

_SCHEMA = (
    "DROP TABLE IF EXISTS reports",
    "CREATE TABLE reports (key BLOB PRIMARY KEY, value TEXT NOT NULL, dependencies TEXT NOT NULL, "
    "size INTEGER NOT NULL, used REAL NOT NULL) WITHOUT ROWID",
    "CREATE INDEX by_use ON reports (used, size)",
    f"PRAGMA user_version = {FORMAT}",
)


def default_folder() -> Path:
    """Give the folder of the cache: ``ASSAY_CACHE_DIR``, or the platform's place for caches."""
    if chosen := os.environ.get("ASSAY_CACHE_DIR"):
        return Path(chosen)
    from platformdirs import user_cache_path  # costs 30 ms, and only a check with a cache needs it

    return user_cache_path("assay", appauthor=False)


def digest(text: str) -> str:
    """Give the SHA-256 of a text; texts that hold lone surrogates have one too."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def key_of(*parts: str) -> bytes:
    """Combine the parts of a key so that no two lists of parts give the same key by accident."""
    return sha256(json.dumps(parts).encode()).digest()


@define
class Cache:
    """An open cache; use it as a context manager, so that what was stored is written.

    `warnings` takes the one message about a cache that cannot be used.
    """

    folder: Path
    warn: Callable[[str], None] = field(repr=False)
    max_bytes: int = MAX_BYTES
    _connection: sqlite3.Connection | None = field(init=False, default=None)
    _pending: list[tuple[bytes, str, str, int, float]] = Factory(list)
    _used: list[bytes] = Factory(list)

    @property
    def path(self) -> Path:
        """The database file."""
        return self.folder / "reports.sqlite"

    def __enter__(self) -> "Cache":
        try:
            self._open()
        except sqlite3.DatabaseError as error:
            self._recover(error)
        except OSError as error:
            self._give_up(error)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._guard(self._finish)
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def get(self, key: bytes, digest_of: Callable[[str], str | None]) -> Report | None:
        """Give the stored report if everything it depends on is unchanged; `digest_of` reads a dependency's digest."""
        row: tuple[str, str] | None = self._guard(lambda: self._row(key))
        if row is None:
            return None
        try:
            dependencies: dict[str, str | None] = json.loads(row[1])
            if any(digest_of(path) != known for path, known in dependencies.items()):
                return None
            report = decode(json.loads(row[0]))
        except (DecodeError, ValueError, AttributeError, TypeError, RecursionError):
            return None
        self._used.append(key)
        return report

    def put(self, key: bytes, report: Report, dependencies: Dependencies) -> None:
        """Store a report; it is written in batches, at the latest when the cache is closed."""
        if self._connection is None:
            return
        value, reads = json.dumps(encode(report)), json.dumps(dict(dependencies))
        self._pending.append((key, value, reads, len(value) + len(reads) + 100, time.time()))
        if len(self._pending) >= BATCH:
            self._guard(self._flush)

    def usage(self) -> tuple[int, int]:
        """Give the number of stored reports and the bytes that the database takes on disk."""
        count = self._guard(self._count) or 0
        files = (self.path, self.path.with_name(self.path.name + "-wal"))
        return count, sum(file.stat().st_size for file in files if file.is_file())

    def _count(self) -> int:
        assert self._connection is not None
        number: int = self._connection.execute("SELECT COUNT(*) FROM reports").fetchone()[0]
        return number

    def _row(self, key: bytes) -> tuple[str, str] | None:
        assert self._connection is not None
        cursor = self._connection.execute("SELECT value, dependencies FROM reports WHERE key = ?", (key,))
        row: tuple[str, str] | None = cursor.fetchone()
        return row

    def _open(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(self.path, timeout=2.0, isolation_level=None)
        self._connection.execute("PRAGMA synchronous = NORMAL")
        if self._format(self._connection) != FORMAT:
            self._create(self._connection)

    def _format(self, connection: sqlite3.Connection) -> int:
        number: int = connection.execute("PRAGMA user_version").fetchone()[0]
        return number

    def _create(self, connection: sqlite3.Connection) -> None:
        """Make the table, or find that another process made it meanwhile."""
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        with suppress(sqlite3.OperationalError):  # two processes cannot both change the mode; either may have done it
            connection.execute("PRAGMA journal_mode = WAL")
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            if self._format(connection) != FORMAT:
                for statement in _SCHEMA:
                    connection.execute(statement)

    def _recover(self, error: sqlite3.DatabaseError) -> None:
        """Start over when the file is damaged or foreign; do without when it is locked, read-only or on a full disk."""
        if isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
            self._give_up(error)
            return
        try:
            self._drop()
            self._open()
        except (sqlite3.DatabaseError, OSError) as again:
            self._give_up(again)

    def _drop(self) -> None:
        self._disconnect()
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _give_up(self, error: Exception) -> None:
        self._disconnect()
        self._pending.clear()
        self.warn(
            f"The result cache in {self.folder} cannot be used ({error}), so every file is analysed anew. "
            "Set ASSAY_CACHE_DIR to a folder that can be written, or pass --no-cache."
        )

    def _guard(self, work: Callable[[], _T]) -> _T | None:
        if self._connection is None:
            return None
        try:
            return work()
        except sqlite3.DatabaseError as error:
            self._recover(error)
        return None

    def _flush(self) -> None:
        assert self._connection is not None
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT OR REPLACE INTO reports VALUES (?, ?, ?, ?, ?)", self._pending)
        self._pending.clear()

    def _finish(self) -> None:
        assert self._connection is not None
        now = time.time()
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("UPDATE reports SET used = ? WHERE key = ?", [(now, k) for k in self._used])
        self._used.clear()
        self._flush()
        self._trim()

    def _trim(self) -> None:
        """Drop the least recently used results once the cache has outgrown its bound."""
        assert self._connection is not None
        total = self._connection.execute("SELECT COALESCE(SUM(size), 0) FROM reports").fetchone()[0]
        if total <= self.max_bytes:
            return
        keep = self.max_bytes * 4 // 5
        self._connection.execute(
            "DELETE FROM reports WHERE key IN (SELECT key FROM (SELECT key, SUM(size) OVER "
            "(ORDER BY used DESC, key ROWS UNBOUNDED PRECEDING) AS running FROM reports) WHERE running > ?)",
            (keep,),
        )
        self._connection.execute("PRAGMA incremental_vacuum").fetchall()
