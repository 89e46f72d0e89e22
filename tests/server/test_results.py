"""The store of results, with analyses that end exactly when the test says."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

from assay.features.settings import Settings
from assay.server import jobs
from assay.server.documents import Change, Documents
from assay.server.encoding import Encoding
from assay.server.results import End, Result, Results
from assay.server.schedule import Priority, Ticket

URI = "file:///results/a.script"


class Analyses:
    """Stands in for the schedule: keeps what was submitted, for the test to end."""

    def __init__(self) -> None:
        self.tickets: list[Ticket] = []

    def number(self) -> int:
        return len(self.tickets)

    def submit(self, job: jobs.Job, priority: Priority, on_progress: object) -> Ticket:
        outcome = asyncio.get_running_loop().create_future()
        self.tickets.append(Ticket(job, priority, job.job, outcome))
        return self.tickets[-1]

    def cancel(self, ticket: Ticket) -> None:
        ticket.outcome.cancel()

    async def nth(self, number: int) -> Ticket:
        async with asyncio.timeout(30):
            while len(self.tickets) <= number:
                await asyncio.sleep(0)
        return self.tickets[number]

    def end(self, ticket: Ticket) -> None:
        ticket.outcome.set_result(jobs.Checked(ticket.job.job, digest=ticket.job.document.text))


class NoBars:
    @asynccontextmanager
    async def bar(self, title: str, cancel: object) -> AsyncIterator[SimpleNamespace]:
        yield SimpleNamespace(report=None, outcome=None)


async def at_once() -> None:
    return None


@pytest.fixture
def analyses() -> Analyses:
    return Analyses()


@pytest.fixture
def results(analyses) -> Results:
    preferences = SimpleNamespace(scope=lambda path: jobs.Scope({}, Settings()))
    made = Results(
        Documents(Encoding.UTF16), analyses, NoBars(), preferences, at_once, lambda *_: None, lambda result: None
    )
    made.documents.open(URI, "script", 1, "one")
    return made


async def finished(results: Results) -> None:
    """Let the loop run exactly until the result is stored: whoever waits for it has not been woken yet."""
    while results.known(URI) is None:
        await asyncio.sleep(0)


async def test_a_result_that_an_edit_overtakes_on_its_way_to_the_waiter_is_not_given(results, analyses):
    waiting = asyncio.create_task(results.result(URI, Priority.VISIBLE))
    analyses.end(await analyses.nth(0))
    await finished(results)
    results.documents.change(URI, 2, [Change("two")])
    results.outdate(URI)
    analyses.end(await analyses.nth(1))
    done = await waiting
    assert isinstance(done, Result)
    assert (done.document.version, done.checked.digest) == (2, "two")


async def test_a_result_that_new_settings_overtake_on_its_way_to_the_waiter_is_not_given(results, analyses):
    waiting = asyncio.create_task(results.result(URI, Priority.VISIBLE))
    analyses.end(await analyses.nth(0))
    await finished(results)
    results.outdate_all()
    second = await analyses.nth(1)
    analyses.end(second)
    done = await waiting
    assert isinstance(done, Result)
    assert done.checked.job == second.job.job


async def test_an_edit_while_an_analysis_runs_cancels_it_and_the_waiter_gets_the_next(results, analyses):
    waiting = asyncio.create_task(results.result(URI, Priority.VISIBLE))
    first = await analyses.nth(0)
    results.documents.change(URI, 2, [Change("two")])
    results.outdate(URI)
    analyses.end(await analyses.nth(1))
    assert (await waiting).checked.digest == "two"
    assert first.outcome.cancelled()


async def test_a_waiter_of_a_document_that_is_closed_gets_nothing(results, analyses):
    waiting = asyncio.create_task(results.result(URI, Priority.VISIBLE))
    await analyses.nth(0)
    results.documents.close(URI)
    results.forget(URI)
    assert await waiting is None


async def test_an_analysis_stopped_by_hand_ends_for_all_who_wait(results, analyses):
    waiting = [asyncio.create_task(results.result(URI, Priority.VISIBLE)) for _ in range(2)]
    await analyses.nth(0)
    results._stop(results._running[URI])
    assert await asyncio.gather(*waiting) == [End.STOPPED] * 2
