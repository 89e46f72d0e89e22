"""An analysis process: takes jobs on standard input, answers on standard output.

It imports the features and nothing of the protocol.  The main thread works; a second thread reads, so that a
cancellation is seen while work goes on, and so that the process ends at once when its server is gone.
"""

import gc
import os
import pickle
import queue
import sys
import threading
import traceback
from collections.abc import Mapping
from typing import Any, BinaryIO

from attrs import define, evolve, field

from assay.analyzers.budget import Budget
from assay.analyzers.errors import AssayError, CancelledError, SettingsError
from assay.features import pipeline, registry
from assay.features.feature import Context, Document, Rule
from assay.features.settings import Settings
from assay.server import jobs
from assay.server.configuration import Configuration, Configurations, Exclusion, Overrides
from assay.server.limits import bound_memory, die_with_parent, release_memory
from assay.server.neighbours import Neighbours
from assay.server.recall import Recall
from assay.server.tasks import is_excluded, run

MAX_SCOPES = 16
WARM_LANGUAGES = ("c",)
"""Languages whose analysis loads quickly; heavier ones are left to their first document."""


@define
class Pipe:
    """The two ends towards the server; `send` may be called from any thread."""

    source: BinaryIO
    sink: BinaryIO
    _lock: threading.Lock = field(factory=threading.Lock)

    def send(self, event: jobs.Event) -> None:
        """Send one message; without a server there is nothing left to do."""
        data = jobs.pack(event)
        with self._lock:
            try:
                self.sink.write(data)
                self.sink.flush()
            except OSError:
                os._exit(0)

    def receive(self) -> object | None:
        """Wait for the next message; None when the server is gone."""
        header = self.source.read(jobs.HEADER.size)
        if len(header) < jobs.HEADER.size:
            return None
        body = self.source.read(jobs.HEADER.unpack(header)[0])
        return jobs.unpack(body)


@define
class Worker:
    """The state of the process: what waits, what is cancelled, what the editor has open."""

    pipe: Pipe
    _waiting: queue.SimpleQueue[jobs.Job | jobs.Overlay] = field(factory=queue.SimpleQueue)
    _pending: set[int] = field(factory=set)
    _cancelled: set[int] = field(factory=set)
    _neighbours: Neighbours = field(factory=Neighbours)
    _recall: Recall = field(init=False)
    _read_settings: dict[str, Configurations] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._recall = Recall(lambda reason: self.pipe.send(jobs.Notice(reason)))

    def listen(self) -> None:
        """Read until the server is gone, and then end the process, whatever the main thread does."""
        status = 1  # a message that cannot be read, or held in memory: the server starts another process
        try:
            while (message := self.pipe.receive()) is not None:
                self._take(message)
            status = 0
        except (OSError, EOFError, pickle.UnpicklingError, MemoryError):
            pass
        finally:
            os._exit(status)

    def _take(self, message: object) -> None:
        if isinstance(message, jobs.Cancel):
            self._cancelled |= {message.job} & self._pending
            return
        if isinstance(message, (jobs.Check, jobs.FindOffers, jobs.CarryOut)):
            self._pending.add(message.job)
        if isinstance(message, (jobs.Check, jobs.FindOffers, jobs.CarryOut, jobs.Overlay)):
            self._waiting.put(message)

    def work(self) -> None:
        """Do the jobs in the order in which they come, for ever."""
        while True:
            message = self._waiting.get()
            if isinstance(message, jobs.Overlay):
                self._neighbours.overlay(message)
                continue
            self.pipe.send(self._answer(message))
            self._pending.discard(message.job)
            self._cancelled.discard(message.job)
            self._neighbours.forget()
            del message
            if self._waiting.empty():
                release_memory()

    def _answer(self, job: jobs.Job) -> jobs.Answer:
        try:
            configuration = self._configuration(job)
            if is_excluded(job.document.path, configuration):
                return jobs.nothing(job)
            context = self._context(job, configuration.settings)
            return run(job, context, self._neighbours, self._recall, configuration.baseline_at)
        except CancelledError:
            return jobs.Stopped(job.job)
        except AssayError as error:
            return jobs.Failed(job.job, str(error))
        except MemoryError:
            return jobs.Failed(job.job, "The analysis ran out of memory. Split the file, or exclude it.")
        except Exception as error:  # whatever a feature does, the process goes on to the next job
            what = f"{type(error).__name__}: {error}"[:200]
            reason = f"The analysis failed because of a bug in it ({what}). Please report it."
            return jobs.Failed(job.job, reason, traceback.format_exc())

    def _context(self, job: jobs.Job, settings: Settings) -> Context:
        number = job.job
        return Context(
            settings=settings,
            budget=Budget.seconds(jobs.seconds(job, settings), lambda: number in self._cancelled),
            read=lambda path: self._neighbours.read(path, settings.max_file_size),
            progress=lambda message, fraction: self.pipe.send(jobs.Progress(number, message, fraction)),
            trusted=settings.trust,
        )

    def _configuration(self, job: jobs.Job) -> Configuration:
        """Find what holds for a document, and tell the server, which bounds the job by it."""
        problem = None
        try:
            configuration = self._configurations(job.scope.overrides).for_file(job.document.path)
        except SettingsError as error:
            configuration, problem = Configuration(job.scope.fallback), str(error)
        self.pipe.send(jobs.Began(job.job, configuration.settings, problem))
        if job.scope.root is not None and "exclude" in job.scope.overrides:
            exclusion = Exclusion(job.scope.root, configuration.settings.exclude)
            configuration = evolve(configuration, exclusions=(exclusion,))
        return configuration

    def _configurations(self, overrides: Mapping[str, Any]) -> Configurations:
        """Keep what was read for the overrides of a folder; there are few, unless somebody edits them."""
        key = repr(sorted(overrides.items()))
        if key not in self._read_settings:
            if len(self._read_settings) >= MAX_SCOPES:
                self._read_settings.clear()
            self._read_settings[key] = Configurations(Overrides(overrides))
        return self._read_settings[key]


def _rule_page(rule: Rule) -> jobs.RulePage:
    try:
        return jobs.RulePage(rule.summary, rule.page())
    except Exception as error:  # a page may come from anywhere, and a bad one must not cost the other rules
        return jobs.RulePage(rule.summary, f"# {rule.code}\n\n{rule.summary}\n\nThe page cannot be read ({error}).\n")


def hello() -> jobs.Hello:
    """Describe the installed features."""
    languages = frozenset(language for feature in registry.features() for language in feature.languages)
    return jobs.Hello(languages, {rule.code: _rule_page(rule) for rule in registry.rules()})


def warm_up() -> None:
    """Load what the first document will need, while the server is still loading itself."""
    for language in WARM_LANGUAGES:
        pipeline.check(Document("", language, ""), Context())


def _claim_pipes() -> Pipe:
    """Keep the pipes for the protocol: whatever else prints goes to standard error."""
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    return Pipe(os.fdopen(source, "rb"), os.fdopen(sink, "wb"))


def main() -> None:
    """Serve jobs until the server is gone."""
    die_with_parent()
    worker = Worker(_claim_pipes())
    threading.Thread(target=worker.listen, name="jobs", daemon=True).start()
    bound_memory()
    sys.setrecursionlimit(5_000)
    worker.pipe.send(hello())
    warm_up()
    gc.freeze()
    worker.work()


if __name__ == "__main__":
    main()
