"""What happens inside an analysis process: limits first, then one document after the other.

Only this process runs analyses for the command line, so a crash, a hang or a runaway allocation costs one file.
"""

import json
import os
import signal
import sys
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

from attrs import Factory, define, frozen

from assay.analyzers.budget import Budget
from assay.features.codec import encode
from assay.features.feature import Context, Document
from assay.features.pipeline import check
from assay.features.settings import Settings
from assay.server.cache import digest
from assay.server.limits import bound_memory, die_with_parent
from assay.server.sources import read_neighbour


@frozen
class Job:
    """One document to analyse; `number` comes back with the answer."""

    number: int
    document: Document
    settings: Settings


@frozen
class Answer:
    """The report as JSON text, what it depends on and how long it took, or the reason why there is none."""

    number: int
    report: str = ""
    dependencies: dict[str, str | None] = Factory(dict)
    failure: str = ""
    seconds: float = 0.0


@define
class RecordingReader:
    """Reads neighbouring files for one analysis and remembers what it found, so that a cache can tell changes."""

    limit: int
    dependencies: dict[str, str | None] = Factory(dict)
    _texts: dict[Path, str | None] = Factory(dict)

    def read(self, path: Path) -> str | None:
        """Give the text of a file, or None."""
        if path not in self._texts:
            text = self._texts[path] = read_neighbour(path, self.limit)
            self.dependencies[str(path)] = None if text is None else digest(text)
        return self._texts[path]


def serve(connection: Connection, inherited: tuple[Connection, ...], debug: bool) -> None:
    """Answer jobs until the other end is closed."""
    for other in inherited:
        other.close()
    confine(debug)
    with suppress(EOFError, OSError):
        while True:
            connection.send(answer(connection.recv()))


def answer(job: Job) -> Answer:
    """Analyse one document."""
    reader = RecordingReader(job.settings.max_file_size)
    context = Context(job.settings, Budget.seconds(job.settings.timeout), reader.read)
    began = time.perf_counter()
    try:
        found = check(job.document, context)
        seconds = time.perf_counter() - began
        report = json.dumps(encode(found))
    except MemoryError:
        return Answer(job.number, failure="The analysis ran out of memory. Split the file, or exclude it.")
    return Answer(job.number, report, reader.dependencies, seconds=seconds)


def confine(debug: bool) -> None:
    """Bound memory, keep quiet unless debugging, and end with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bound_memory()
    die_with_parent()
    if not debug:
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(quiet, stream)
        sys.stdout = sys.stderr = os.fdopen(quiet, "w", encoding="utf-8", errors="replace")
