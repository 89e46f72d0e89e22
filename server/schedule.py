"""Where and when analyses run: a queue by priority over at most two processes.

Interactive work goes before visible documents, those before the background.  A process that dies, hangs, or goes on
after its job was cancelled is replaced, and a job that was lost that way is tried once more.
"""

import asyncio
import itertools
import logging
import subprocess
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum

from attrs import define, field

from assay.analyzers.errors import WorkerError
from assay.features.settings import Settings
from assay.server import jobs
from assay.server.process import AnalysisProcess
from assay.server.spawn import COMMAND

MAX_PROCESSES = 2
ATTEMPTS = 2
CANCEL_GRACE = 0.5
"""Seconds that a cancelled job has to notice before its process is killed."""

DEADLINE_GRACE = 2.0
"""Seconds past its own deadline after which a job counts as hung."""

START_SECONDS = 30.0
SECOND_PROCESS_AFTER = 0.15
"""Seconds that interactive work waits for the only process before a second one is started."""

IDLE_SECONDS = 30.0
"""Seconds after which an idle second process is ended."""

MAX_FAILED_STARTS = 3
_log = logging.getLogger(__name__)


class Priority(IntEnum):
    """What goes first: the lower value."""

    INTERACTIVE = 0
    VISIBLE = 1
    BACKGROUND = 2


def _nothing(message: str, fraction: float | None) -> None:
    return None


@define(eq=False)
class Ticket:
    """A job in the queue or in a process; `outcome` resolves to its result or to a `WorkerError`."""

    job: jobs.Job
    priority: Priority
    order: int
    outcome: "asyncio.Future[jobs.Result]"
    on_progress: Callable[[str, float | None], None] = _nothing
    attempts: int = 0
    process: AnalysisProcess | None = None
    hung: bool = False
    timer: asyncio.TimerHandle | None = None

    def rank(self) -> tuple[int, int]:
        """Sort by priority, then first come first served."""
        return (self.priority, self.order)

    def set_timer(self, seconds: float, action: Callable[[], None]) -> None:
        """Do `action` later, instead of what was to be done before."""
        self.stop_timer()
        self.timer = asyncio.get_running_loop().call_later(seconds, action)

    def stop_timer(self) -> None:
        """Do nothing later."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


def _no_overlays() -> Iterable[jobs.Overlay]:
    return ()


@define(eq=False)
class Schedule:
    """Runs jobs in analysis processes.

    `overlays` gives the editor's texts, asked before each job; `on_hello` hears what the features are, `on_began`
    with which settings a job runs, `on_trouble`, in words for a log, that a process was replaced, and `on_notice` what
    a process has to say besides results.
    """

    overlays: Callable[[], Iterable[jobs.Overlay]] = _no_overlays
    on_hello: Callable[[jobs.Hello], None] = field(default=lambda hello: None)
    on_began: Callable[[jobs.Job, jobs.Began], None] = field(default=lambda job, began: None)
    on_trouble: Callable[[str], None] = field(default=_log.warning)
    on_notice: Callable[[str], None] = field(default=_log.warning)
    command: Sequence[str] = COMMAND
    quiet: bool = True
    hello: jobs.Hello | None = None
    _queue: list[Ticket] = field(factory=list)
    _busy: dict[AnalysisProcess, Ticket | None] = field(factory=dict)
    _numbers: "itertools.count[int]" = field(factory=itertools.count)
    _failed_starts: int = 0
    _growing: asyncio.TimerHandle | None = None
    _idle: asyncio.TimerHandle | None = None
    _closed: bool = False

    def number(self) -> int:
        """Give a fresh number for a job."""
        return next(self._numbers)

    def submit(
        self, job: jobs.Job, priority: Priority, on_progress: Callable[[str, float | None], None] = _nothing
    ) -> Ticket:
        """Queue a job; whoever wants its result awaits the ticket's `outcome`, or cancels it through `cancel`."""
        outcome: asyncio.Future[jobs.Result] = asyncio.get_running_loop().create_future()
        ticket = Ticket(job, priority, job.job, outcome, on_progress)
        if self._closed:
            outcome.set_exception(WorkerError("Assay is shutting down."))
            return ticket
        self._queue.append(ticket)
        self._dispatch()
        return ticket

    def raise_priority(self, ticket: Ticket, priority: Priority) -> None:
        """Let a job that somebody now waits for overtake others."""
        if priority < ticket.priority:
            ticket.priority = priority
            self._dispatch()

    def cancel(self, ticket: Ticket) -> None:
        """Stop a job, waiting or running; its outcome is cancelled at once. Nothing happens to one that is done."""
        ticket.outcome.cancel()
        if ticket in self._queue:
            self._queue.remove(ticket)
        elif (process := ticket.process) is not None:
            process.send(jobs.Cancel(ticket.job.job))
            ticket.set_timer(CANCEL_GRACE, process.kill)

    def has_room(self) -> bool:
        """Tell whether a process is free for a job right now."""
        return self._idle_process() is not None and not self._queue

    def prestart(self) -> None:
        """Start the first process before it is needed."""
        if not self._busy and not self._closed:
            self._spawn()

    def adopt(self, started: "subprocess.Popen[bytes]") -> None:
        """Use a process that was started before the event loop."""
        self._introduce(lambda process: process.adopt(started))

    async def close(self) -> None:
        """End every process; nothing runs afterwards."""
        self._closed = True
        for timer in (self._growing, self._idle):
            if timer is not None:
                timer.cancel()
        for ticket in self._queue:
            ticket.outcome.cancel()
        self._queue.clear()
        processes = list(self._busy)
        for process in processes:
            process.kill()
        await asyncio.gather(*(process.closed() for process in processes))

    # Placement.

    def _dispatch(self) -> None:
        while self._queue and (process := self._idle_process()) is not None:
            ticket = min(self._queue, key=Ticket.rank)
            self._queue.remove(ticket)
            self._assign(ticket, process)
        if self._queue:
            self._grow()

    def _idle_process(self) -> AnalysisProcess | None:
        return next((process for process, ticket in self._busy.items() if ticket is None and process.ready), None)

    def _assign(self, ticket: Ticket, process: AnalysisProcess) -> None:
        self._busy[process] = ticket
        ticket.process = process
        ticket.attempts += 1
        self._bound(ticket, process, ticket.job.scope.fallback)
        own = ticket.job.document.path
        process.share(overlay for overlay in self.overlays() if overlay.path != own)
        process.send(ticket.job)

    def _bound(self, ticket: Ticket, process: AnalysisProcess, settings: Settings) -> None:
        ticket.set_timer(jobs.seconds(ticket.job, settings) + DEADLINE_GRACE, lambda: self._hung(ticket, process))

    def _hung(self, ticket: Ticket, process: AnalysisProcess) -> None:
        ticket.hung = True
        process.kill()

    def _grow(self) -> None:
        """Start a process if there is none, or, when a person has waited a moment, a second one."""
        starting = any(not process.ready for process in self._busy)
        if self._closed or starting or len(self._busy) >= MAX_PROCESSES:
            return
        if not self._busy:
            self._spawn()
        elif self._growing is None:
            self._growing = asyncio.get_running_loop().call_later(SECOND_PROCESS_AFTER, self._grow_if_needed)

    def _grow_if_needed(self) -> None:
        self._growing = None
        if len(self._busy) < MAX_PROCESSES and any(t.priority is Priority.INTERACTIVE for t in self._queue):
            self._spawn()

    def _spawn(self) -> None:
        try:
            self._introduce(lambda process: process.start(self.command, self.quiet))
        except OSError as error:
            self._start_failed(str(error))

    def _introduce(self, begin: Callable[[AnalysisProcess], None]) -> None:
        process = AnalysisProcess(self._heard, self._ended)
        begin(process)
        self._busy[process] = None
        asyncio.get_running_loop().call_later(START_SECONDS, lambda: None if process.ready else process.kill())

    # What processes say.

    def _heard(self, process: AnalysisProcess, event: jobs.Event) -> None:
        match event:
            case jobs.Hello():
                process.ready = True
                self._failed_starts = 0
                self.hello = event
                self.on_hello(event)
            case jobs.Notice(reason):
                self.on_notice(reason)
                return
            case jobs.Began() | jobs.Progress():
                self._under_way(process, event)
                return
            case _:
                self._answered(process, event)
        self._dispatch()
        self._retire_when_idle()

    def _under_way(self, process: AnalysisProcess, event: jobs.Began | jobs.Progress) -> None:
        ticket = self._busy.get(process)
        if ticket is None or ticket.job.job != event.job or ticket.outcome.done():
            return
        if isinstance(event, jobs.Progress):
            ticket.on_progress(event.message, event.fraction)
        else:
            self._bound(ticket, process, event.settings)
            self.on_began(ticket.job, event)

    def _answered(self, process: AnalysisProcess, answer: jobs.Answer) -> None:
        ticket = self._busy.get(process)
        self._busy[process] = None
        if ticket is None:
            return
        ticket.stop_timer()
        ticket.process = None
        if ticket.outcome.done():
            return
        match answer:
            case jobs.Stopped():
                ticket.outcome.cancel()
            case jobs.Failed(_, reason, trace):
                _log.debug("job %s failed: %s", ticket.job.job, trace)
                ticket.outcome.set_exception(WorkerError(reason))
            case _:
                ticket.outcome.set_result(answer)

    def _retire_when_idle(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        if len(self._busy) > 1:
            self._idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._retire)

    def _retire(self) -> None:
        process = self._idle_process()
        if process is not None and len(self._busy) > 1:
            del self._busy[process]
            process.kill()

    def _ended(self, process: AnalysisProcess, status: int) -> None:
        if self._closed or process not in self._busy:
            return
        ticket = self._busy.pop(process)
        if not process.ready:
            self._start_failed(f"it ended with status {status} before it was ready")
        elif ticket is None:
            self.on_trouble(f"An idle analysis process ended with status {status}; it is replaced when needed.")
        else:
            self._lost(ticket, status)
        self._dispatch()

    def _lost(self, ticket: Ticket, status: int) -> None:
        ticket.stop_timer()
        ticket.process = None
        if ticket.outcome.done():
            return
        what = "gave no answer in time and was ended" if ticket.hung else f"ended unexpectedly with status {status}"
        ticket.hung = False
        if ticket.attempts < ATTEMPTS:
            self.on_trouble(f"The analysis process for {ticket.job.document.uri} {what}. It is replaced; trying again.")
            self._queue.append(ticket)
            return
        ticket.outcome.set_exception(
            WorkerError(
                f"The analysis process {what}, {ticket.attempts} times. Other files are not affected; "
                "change the file to try again, and please report it if it repeats."
            )
        )

    def _start_failed(self, reason: str) -> None:
        self._failed_starts += 1
        self.on_trouble(f"The analysis process could not be started: {reason}.")
        if self._failed_starts < MAX_FAILED_STARTS:
            self._dispatch()
            return
        self._failed_starts = 0
        waiting, self._queue = self._queue, []
        for ticket in waiting:
            ticket.outcome.set_exception(
                WorkerError(f"The analysis process cannot be started ({reason}). Run `assay doctor` to find out why.")
            )
