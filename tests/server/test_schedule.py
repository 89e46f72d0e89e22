"""The queue over the analysis processes, without a server around it."""

import asyncio
import sys

import pytest
from lsp_client import FAKES

from assay.analyzers.errors import WorkerError
from assay.analyzers.findings import Span
from assay.features.feature import Document
from assay.features.settings import Settings
from assay.server import jobs
from assay.server.encoding import Encoding
from assay.server.process import AnalysisProcess
from assay.server.schedule import ATTEMPTS, Priority, Schedule

SCOPE = jobs.Scope({}, Settings())


def document(text: str, name: str = "a") -> Document:
    return Document(f"file:///schedule/{name}.script", "script", text)


def check(schedule: Schedule, text: str) -> jobs.Check:
    return jobs.Check(schedule.number(), document(text), SCOPE, Encoding.UTF16)


@pytest.fixture
async def schedule(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(FAKES))
    made = Schedule()
    yield made
    await made.close()


async def test_a_job_gives_its_result(schedule):
    checked = await schedule.submit(check(schedule, "@warn"), Priority.VISIBLE).outcome
    assert [located.code for located in checked.findings] == ["script/warn"]
    assert schedule.hello.languages >= {"script"}


async def test_the_most_urgent_job_goes_first_and_then_the_oldest(schedule):
    await schedule.submit(check(schedule, ""), Priority.VISIBLE).outcome
    ended: list[str] = []
    tickets = []
    for name, priority in (("first", 1), ("background", 2), ("visible", 1), ("late", 2), ("urgent", 0), ("raised", 2)):
        ticket = schedule.submit(check(schedule, ""), Priority(priority))
        ticket.outcome.add_done_callback(lambda _, name=name: ended.append(name))
        tickets.append(ticket)
    schedule.raise_priority(tickets[-1], Priority.INTERACTIVE)
    await asyncio.gather(*(ticket.outcome for ticket in tickets))
    assert ended == ["first", "urgent", "raised", "visible", "background", "late"]


async def test_cancelling_a_waiting_job_removes_it(schedule):
    running = schedule.submit(check(schedule, ""), Priority.VISIBLE)
    waiting = schedule.submit(check(schedule, "@hang"), Priority.VISIBLE)
    schedule.cancel(waiting)
    assert waiting.outcome.cancelled()
    await running.outcome
    assert (await schedule.submit(check(schedule, ""), Priority.VISIBLE).outcome).diagnostics == b"[]"


async def test_cancelling_a_job_that_is_done_leaves_its_process_alone(schedule):
    job = jobs.FindOffers(schedule.number(), document("@offer"), SCOPE, Span.of(0, 0, 0, 0))
    ticket = schedule.submit(job, Priority.INTERACTIVE)
    assert [offer.title for offer in (await ticket.outcome).offers] == ["Do as offered"]
    schedule.cancel(ticket)
    assert (ticket.timer, ticket.process) == (None, None)


async def test_a_job_that_kills_its_process_is_tried_a_bounded_number_of_times(schedule):
    troubles: list[str] = []
    schedule.on_trouble = troubles.append
    ticket = schedule.submit(check(schedule, "@crash"), Priority.VISIBLE)
    with pytest.raises(WorkerError, match="ended unexpectedly with status 3"):
        await ticket.outcome
    assert ticket.attempts == ATTEMPTS
    assert len(troubles) == ATTEMPTS - 1


async def test_a_program_that_does_not_exist_is_given_up_with_advice():
    schedule = Schedule(command=("/no/such/program",))
    with pytest.raises(WorkerError, match="Run `assay doctor`"):
        await schedule.submit(check(schedule, ""), Priority.VISIBLE).outcome
    await schedule.close()


async def test_a_program_that_talks_nonsense_is_given_up_with_advice():
    schedule = Schedule(command=(sys.executable, "-c", "print('hello, ' * 1000)"))
    with pytest.raises(WorkerError, match="cannot be started"):
        await schedule.submit(check(schedule, ""), Priority.VISIBLE).outcome
    await schedule.close()


async def test_nothing_runs_after_closing():
    schedule = Schedule()
    waiting = schedule.submit(check(schedule, ""), Priority.VISIBLE)
    await schedule.close()
    assert waiting.outcome.cancelled()
    with pytest.raises(WorkerError, match="shutting down"):
        await schedule.submit(check(schedule, ""), Priority.VISIBLE).outcome


async def test_a_process_is_sent_only_the_texts_that_changed(monkeypatch, tmp_path):
    sent: list[tuple[str, str | None]] = []
    process = AnalysisProcess(lambda *_: None, lambda *_: None)
    monkeypatch.setattr(AnalysisProcess, "send", lambda self, overlay: sent.append((overlay.path.name, overlay.text)))

    def share(**texts: str) -> list[tuple[str, str | None]]:
        sent.clear()
        process.share([jobs.Overlay(tmp_path / name, f"file:///{name}", text) for name, text in texts.items()])
        return list(sent)

    assert share(a="1", b="1") == [("a", "1"), ("b", "1")]
    assert share(a="1", b="2") == [("b", "2")]
    assert share(b="2") == [("a", None)]
    assert share(b="2") == []
