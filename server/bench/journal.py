"""The rows of a benchmark while it runs, so that an interrupted run goes on where it stopped.

One JSON object a line, appended and flushed as each case is done; a line that was cut off is done again.
"""

import json
from pathlib import Path
from typing import TextIO

from attrs import define, field, frozen

from assay.analyzers.errors import UsageError
from assay.server.bench.corpus import Pair


@frozen
class Row:
    """What came of one case; `digest` names the text, the analyzer and the settings it came from.

    `ms` is None when there is no result; `failure` says why, and `skipped` what the analysis left out.
    """

    digest: str
    pairs: tuple[Pair, ...] = ()
    ms: float | None = None
    skipped: tuple[str, ...] = ()
    failure: str = ""
    deadlock_lines: tuple[int, ...] = ()


@define
class Journal:
    """Rows by digest, kept in a file; use it as a context manager."""

    path: Path
    rows: dict[str, Row] = field(factory=dict)
    _file: TextIO | None = None

    def __enter__(self) -> "Journal":
        try:
            self.rows = _read(self.path)
            self._file = self.path.open("a", encoding="utf-8")
            self._file.write("\n")  # ends a line that was cut off
        except OSError as error:
            raise self._unusable(error) from error
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, row: Row) -> None:
        """Keep a row; raise `UsageError` when it cannot be written."""
        self.rows[row.digest] = row
        content = {
            "digest": row.digest,
            "pairs": row.pairs,
            "ms": row.ms,
            "skipped": row.skipped,
            "deadlock_lines": row.deadlock_lines,
        }
        if self._file is not None and not row.failure:  # a failure is tried again
            try:
                self._file.write(json.dumps(content) + "\n")
                self._file.flush()
            except OSError as error:
                raise self._unusable(error) from error

    def _unusable(self, error: OSError) -> UsageError:
        return UsageError(
            f"The rows of the benchmark cannot be kept in {self.path} ({(error.strerror or str(error)).lower()}). "
            "Give --json a file in a folder that exists and has room."
        )


def _read(path: Path) -> dict[str, Row]:
    if not path.exists():
        return {}
    rows = (_row(line) for line in path.read_text(encoding="utf-8", errors="replace").splitlines())
    return {row.digest: row for row in rows if row is not None}


def _row(line: str) -> Row | None:
    try:
        content = json.loads(line)
        pairs = tuple((int(a), int(b)) for a, b in content["pairs"])
        skipped = tuple(map(str, content["skipped"]))
        return Row(
            str(content["digest"]), pairs, float(content["ms"]), skipped, "", tuple(map(int, content["deadlock_lines"]))
        )
    except (ValueError, TypeError, KeyError):
        return None
