"""One analysis process: what it says arrives, and its end is told with the status that it ended with."""

import asyncio
import sys

import pytest
from lsp_client import gone

from assay.server.process import AnalysisProcess


class Heard:
    """What a process said, and how it ended."""

    def __init__(self) -> None:
        self.events: list[object] = []
        self.statuses: list[int] = []
        self.process = AnalysisProcess(
            lambda _, event: self.events.append(event), lambda _, status: self.statuses.append(status)
        )

    async def run(self, code: str) -> None:
        self.process.start((sys.executable, "-c", code))
        async with asyncio.timeout(30):
            await self.process.closed()


@pytest.fixture
async def heard() -> Heard:
    return Heard()


async def test_the_status_of_a_process_that_ends_by_itself_is_its_own(heard):
    await heard.run("import os; os._exit(7)")
    assert heard.statuses == [7]


async def test_killing_a_process_that_has_just_ended_does_not_change_its_status(heard):
    heard.process.start((sys.executable, "-c", "import os; os._exit(7)"))
    assert await asyncio.to_thread(gone, heard.process._process.pid)
    heard.process.kill()
    await heard.process.closed()
    assert heard.statuses == [7]


async def test_a_process_that_closes_its_pipe_and_stays_is_ended(heard):
    await heard.run("import os, time; os.close(1); os.close(2); time.sleep(1000)")
    assert heard.statuses == [-9]


@pytest.mark.parametrize("said", [
    b"hello, " * 1000,
    b"\0" * 7 + b"\5" + b"other",
    b"\0" * 7 + b"\5" + b"cut",
    b"\0\0",
])  # fmt: skip
async def test_a_process_that_talks_nonsense_is_ended_and_nothing_of_it_heard(heard, said):
    await heard.run(f"import os, time; os.write(1, {said!r}); os.close(1); time.sleep(1000)")
    assert (heard.events, heard.statuses) == ([], [-9])
