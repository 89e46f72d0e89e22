"""Run the race analysis over labelled programs, each in a worker with a time limit."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from attrs import Factory, define

from assay.analyzers.errors import AssayError
from assay.analyzers.findings import Confidence
from assay.features.codec import decode
from assay.features.feature import Document
from assay.features.pipeline import Report
from assay.features.registry import for_language
from assay.features.settings import Settings
from assay.server.bench.corpus import Case, Pair
from assay.server.bench.journal import Journal, Row
from assay.server.bench.scoring import Prediction
from assay.server.cache import digest
from assay.server.checking.pool import Pool
from assay.server.checking.worker import Answer, Job
from assay.server.fingerprint import fingerprint
from assay.server.sources import read_source

_WARM_UP = "int main(void) { return 0; }\n"


@define
class Runner:
    """Gives a row for each case: from the journal where nothing changed, from the pool otherwise."""

    folder: Path
    pool: Pool
    journal: Journal
    settings: Settings = Factory(Settings)
    progress: Callable[[int, int], None] = lambda done, total: None
    reused: int = 0
    _rows: dict[int, Row] = Factory(dict)
    _digests: dict[int, str] = Factory(dict)
    _code: str = ""

    def run(self, cases: Sequence[Case]) -> list[Row]:
        """Analyse every case; the rows have the order of the cases."""
        self._code = fingerprint()
        self._warm_up()
        for answer in self.pool.run(self._jobs(cases)):
            row = row_of(answer, self._digests[answer.number])
            self._rows[answer.number] = row
            self.journal.add(row)
            self.progress(len(self._rows), len(cases))
        return [self._rows[number] for number in range(len(cases))]

    def _warm_up(self) -> None:
        """Let each worker import the analysis before anything is timed."""
        document = Document("untitled:warm-up", "c", _WARM_UP)
        for _ in self.pool.run([Job(number, document, self.settings) for number in range(self.pool.jobs)]):
            pass

    def _jobs(self, cases: Sequence[Case]) -> Iterator[Job]:
        for number, case in enumerate(cases):
            language = case.language
            if language is None or not for_language(language):
                self._rows[number] = Row("", failure=f"No feature checks {language or 'this kind of file'} yet.")
                continue
            path = self.folder / case.path
            try:
                text = read_source(path, self.settings.max_file_size)
            except AssayError as error:
                self._rows[number] = Row("", failure=str(error))
                continue
            self._digests[number] = digest("\0".join((self._code, case.path, str(self.settings), text)))
            known = self.journal.rows.get(self._digests[number])
            if known is not None:
                self.reused += 1
                self._rows[number] = known
            else:
                yield Job(number, Document(path.absolute().as_uri(), language, text, path.absolute()), self.settings)


def row_of(answer: Answer, name: str) -> Row:
    """Read a worker's answer."""
    if answer.failure:
        return Row(name, failure=answer.failure)
    report = decode(json.loads(answer.report))
    skipped = tuple(skip.reason for skip in report.skipped)
    return Row(name, racing_pairs(report), round(1000 * answer.seconds, 3), skipped, "", deadlock_lines(report))


def racing_pairs(report: Report) -> tuple[Pair, ...]:
    """Collect the line pairs of every race warning; what is inconclusive is no warning."""
    pairs: set[Pair] = set()
    for finding in report.findings:
        if finding.code.startswith("race/") and finding.confidence is not Confidence.INCONCLUSIVE:
            pairs.update(_pair(entry["lines"]) for entry in finding.data.get("pairs", ()))
    return tuple(sorted(pairs))


def deadlock_lines(report: Report) -> tuple[int, ...]:
    """Collect the lines that deadlock warnings name in the file: where locks are held and waited for, and calls."""
    lines: set[int] = set()
    for finding in report.findings:
        if "deadlock" in finding.data and finding.confidence is not Confidence.INCONCLUSIVE:
            lines.update(line for edge in finding.data["deadlock"] for line in edge)
            lines.add(finding.span.start.line + 1)
            lines.update(place.span.start.line + 1 for place in finding.related if place.path is None)
    return tuple(sorted(lines))


def _pair(lines: Sequence[int]) -> Pair:
    first, second = sorted(lines)
    return first, second


def predictions_of(cases: Sequence[Case], rows: Sequence[Row]) -> dict[str, Prediction]:
    """Give what the rows predict, by the cases' keys."""
    return {
        case.key: Prediction(frozenset(row.pairs), frozenset(row.deadlock_lines))
        for case, row in zip(cases, rows, strict=True)
    }
