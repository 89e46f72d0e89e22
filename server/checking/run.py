"""Check a list of files: from the cache where nothing changed, in the pool where something did."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from attrs import Factory, define, field, frozen

from assay.analyzers.errors import AssayError, UnreadableError
from assay.analyzers.findings import Skipped
from assay.features.codec import decode
from assay.features.feature import Document
from assay.features.pipeline import Report
from assay.features.settings import Settings
from assay.server.cache import digest
from assay.server.checking.memory import Store
from assay.server.checking.pool import Pool
from assay.server.checking.worker import Answer, Job
from assay.server.configuration import Configurations
from assay.server.discovery import SkippedPath, Target
from assay.server.fingerprint import fingerprint
from assay.server.keys import report_key
from assay.server.sources import NotTextError, read_neighbour, read_source, too_large
from assay.server.sources import decode as decode_text


@frozen
class CheckedFile:
    """What came of one file; `text` is kept only where it cannot be read again (standard input).

    `baselined` counts the findings that a baseline knows, which are not in the report.
    """

    path: Path
    shown: str
    report: Report
    analysed: bool = True
    fatal: bool = False
    baselined: int = 0
    text: str | None = field(default=None, repr=False)


@frozen
class Run:
    """A whole check: every file in order, and the paths that discovery passed over."""

    files: tuple[CheckedFile, ...] = ()
    passed_over: tuple[SkippedPath, ...] = ()
    seconds: float = 0.0


@frozen
class Input:
    """A file to check whose bytes are at hand (standard input, a fix to try) or still on disk (None)."""

    target: Target
    data: bytes | None = None


@define
class Checker:
    """Everything a check needs besides the files; `progress` is told how many of how many are done."""

    configurations: Configurations
    pool: Pool
    cache: Store | None = None
    progress: Callable[[int, int], None] = lambda done, total: None
    _done: dict[int, CheckedFile] = Factory(dict)
    _keys: dict[int, bytes] = Factory(dict)
    _texts: dict[int, str] = Factory(dict)
    _digests: dict[tuple[str, int], str | None] = Factory(dict)
    _settings: dict[Path, Settings] = Factory(dict)
    _code: str = field(init=False, default="")

    def check(self, inputs: Sequence[Input]) -> tuple[CheckedFile, ...]:
        """Check every input; the result has their order, whatever order the work was done in."""
        self._code = fingerprint() if self.cache is not None else ""
        for answer in self.pool.run(self._misses(inputs)):
            self._finish(inputs[answer.number], answer)
            self.progress(len(self._done), len(inputs))
        return tuple(self._done[number] for number in range(len(inputs)))

    def _misses(self, inputs: Sequence[Input]) -> Iterator[Job]:
        """Read each file; yield those whose report is not known yet."""
        for number, one in enumerate(inputs):
            settings = self._settings_for(one.target.path.parent)
            try:
                text = _text(one, settings.max_file_size)
            except AssayError as error:
                self._done[number] = _unreadable(one.target, error)
                continue
            known = self._look_up(number, one.target, settings, text)
            if known is not None:
                self._done[number] = _checked(one, known, text)
                self.progress(len(self._done), len(inputs))
                continue
            if one.data is not None:
                self._texts[number] = text
            yield Job(number, _document(one.target, text), settings)

    def _settings_for(self, folder: Path) -> Settings:
        if folder not in self._settings:
            self._settings[folder] = self.configurations.for_folder(folder).settings
        return self._settings[folder]

    def _look_up(self, number: int, target: Target, settings: Settings, text: str) -> Report | None:
        if self.cache is None:
            return None
        key = self._keys[number] = report_key(self._code, settings, target.language, target.path, text)
        limit = settings.max_file_size
        return self.cache.get(key, lambda path: self._digest_of(path, limit))

    def _digest_of(self, path: str, limit: int) -> str | None:
        if (path, limit) not in self._digests:
            text = read_neighbour(Path(path), limit)
            self._digests[path, limit] = None if text is None else digest(text)
        return self._digests[path, limit]

    def _finish(self, one: Input, answer: Answer) -> None:
        text = self._texts.pop(answer.number, None)
        if answer.failure:
            report = Report(skipped=(Skipped(answer.failure),), partial=True)
            self._done[answer.number] = CheckedFile(one.target.path, one.target.shown, report, False, text=text)
            return
        report = decode(json.loads(answer.report))
        if self.cache is not None and not report.partial:
            self.cache.put(self._keys[answer.number], report, answer.dependencies)
        self._done[answer.number] = CheckedFile(one.target.path, one.target.shown, report, text=text)


def _text(one: Input, limit: int) -> str:
    if one.data is None:
        return read_source(one.target.path, limit)
    if len(one.data) > limit:
        raise NotTextError(too_large(len(one.data), limit))
    return decode_text(one.data)


def _document(target: Target, text: str) -> Document:
    return Document(target.path.as_uri(), target.language, text, target.path)


def _checked(one: Input, report: Report, text: str) -> CheckedFile:
    return CheckedFile(one.target.path, one.target.shown, report, text=None if one.data is None else text)


def _unreadable(target: Target, error: AssayError) -> CheckedFile:
    fatal = target.named and isinstance(error, UnreadableError) and not isinstance(error, NotTextError)
    return CheckedFile(target.path, target.shown, Report(skipped=(Skipped(str(error)),)), False, fatal)
