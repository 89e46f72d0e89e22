"""A pool of analysis processes that survives what happens in them.

Each worker has one job at a time over its own pipe, so that when it dies or hangs it is known which file did it:
that file gets a line in the report, the worker is replaced, and the rest goes on.
"""

import multiprocessing
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType

from attrs import Factory, define, frozen

from assay.analyzers.errors import WorkerError
from assay.server.checking.worker import Answer, Job, serve
from assay.server.sources import reason_of

GRACE = 2.0
"""Seconds after a job's own deadline until its worker is killed."""

_FORKS = sys.platform == "linux"
"""Forking is quick and this process has one thread; elsewhere it is not safe, and workers start afresh."""


@frozen(eq=False)
class _Worker:
    process: BaseProcess
    connection: Connection


@define
class _Running:
    job: Job
    deadline: float


@define
class Pool:
    """Up to `jobs` workers, started when there is work; use it as a context manager, which ends them all."""

    jobs: int
    grace: float = GRACE
    debug: bool = False
    _idle: list[_Worker] = Factory(list)
    _busy: dict[_Worker, _Running] = Factory(dict)

    def __enter__(self) -> "Pool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in (*self._idle, *self._busy):
            self._end(worker)
        self._idle.clear()
        self._busy.clear()

    def run(self, jobs: Iterable[Job]) -> Iterator[Answer]:
        """Give an answer for each job, in the order in which they finish; `jobs` is drawn on as workers are free."""
        source = iter(jobs)
        while True:
            while len(self._busy) < self.jobs and (job := next(source, None)) is not None:
                yield from self._start(job)
            if not self._busy:
                return
            yield from self._collect()

    def _start(self, job: Job) -> Iterator[Answer]:
        while not self._idle and not self._grow():
            yield from self._collect()
        worker = self._idle.pop()
        try:
            worker.connection.send(job)
        except OSError:
            yield self._bury(worker, job)
            return
        self._busy[worker] = _Running(job, time.monotonic() + job.settings.timeout + self.grace)

    def _grow(self) -> bool:
        """Start a worker; where the system allows no more of them, go on with those there are."""
        try:
            self._idle.append(self._spawn())
        except OSError as error:
            if not self._busy:
                why = f"No analysis process can be started ({reason_of(error)})."
                raise WorkerError(f"{why} Raise the limits in `ulimit -a`, or try later.") from error
            self.jobs = len(self._busy)
            return False
        return True

    def _collect(self) -> Iterator[Answer]:
        """Wait until a worker answers, dies, or is past its deadline."""
        soonest = min(running.deadline for running in self._busy.values())
        ready = wait([worker.connection for worker in self._busy], max(0.0, soonest - time.monotonic()))
        now = time.monotonic()
        for worker, running in list(self._busy.items()):
            if worker.connection in ready:
                yield self._receive(worker, running.job)
            elif now >= running.deadline:
                del self._busy[worker]
                self._end(worker)
                yield Answer(running.job.number, failure=_hung(running.job.settings.timeout))

    def _receive(self, worker: _Worker, job: Job) -> Answer:
        del self._busy[worker]
        try:
            received = worker.connection.recv()
        except (EOFError, OSError):
            return self._bury(worker, job)
        assert isinstance(received, Answer)
        self._idle.append(worker)
        return received

    def _bury(self, worker: _Worker, job: Job) -> Answer:
        worker.process.join(timeout=1.0)
        code = worker.process.exitcode
        self._end(worker)
        return Answer(job.number, failure=_died(code))

    def _spawn(self) -> _Worker:
        context = multiprocessing.get_context("fork") if _FORKS else multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        inherited = (here, *(worker.connection for worker in (*self._idle, *self._busy)))
        others = inherited if _FORKS else ()
        process = context.Process(target=serve, args=(there, others, self.debug), daemon=True)
        process.start()
        there.close()
        return _Worker(process, here)

    def _end(self, worker: _Worker) -> None:
        worker.process.kill()
        worker.process.join()
        worker.connection.close()
        worker.process.close()


def _hung(timeout: float) -> str:
    return (
        f"The analysis did not stop at its limit of {timeout:g} s, so it was ended and the file is not analysed. "
        "Raise `timeout` in the settings, or exclude the file."
    )


def _died(code: int | None) -> str:
    how = f"with status {code}" if code is None or code >= 0 else f"by {_signal_name(-code)}"
    return (
        f"The analysis process ended unexpectedly ({how}), so the file is not analysed; it may need too much memory. "
        "Exclude the file to go on without it, and please report it."
    )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
