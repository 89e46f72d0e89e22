"""Workers that die, hang or run out of memory cost one line each, and leave nothing behind."""

import json
import os
import time
from pathlib import Path

import pytest

from assay.analyzers.errors import WorkerError
from assay.features.feature import Document
from assay.features.settings import Settings
from assay.server.checking.pool import Pool
from assay.server.checking.worker import Job

pytestmark = pytest.mark.usefixtures("fake_feature")


def job(number: int, text: str, timeout: float = 30.0) -> Job:
    path = Path(f"/nowhere/{number}.c")
    return Job(number, Document(path.as_uri(), "c", text, path), Settings(timeout=timeout))


def outcomes(pool: Pool, *texts: str, timeout: float = 30.0) -> dict[int, str]:
    """Map each job to the code it found or the way it failed."""
    answers = pool.run(job(number, text, timeout) for number, text in enumerate(texts))
    return {answer.number: answer.failure or summary(answer.report) for answer in answers}


def summary(report: str) -> str:
    read = json.loads(report)
    return " ".join(finding["code"] for finding in read["findings"]) or " ".join(s["reason"] for s in read["skipped"])


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_every_job_is_answered_once(jobs: int) -> None:
    with Pool(jobs) as pool:
        got = outcomes(pool, *[f"@find(fake/{number})" for number in range(20)])
    assert got == {number: f"fake/{number}" for number in range(20)}


@pytest.mark.parametrize(("command", "how"), [("@crash", "with status 3"), ("@segv", "by SIGSEGV")])
def test_a_dying_worker_costs_the_file_at_fault_and_no_other(command: str, how: str) -> None:
    with Pool(2) as pool:
        got = outcomes(pool, "@find(fake/one)", command, "@find(fake/one)", command, "@find(fake/one)")
    assert [got[n] for n in (0, 2, 4)] == ["fake/one"] * 3
    assert how in got[1]
    assert how in got[3]


def test_a_hung_worker_is_killed_at_the_backstop_and_the_rest_goes_on() -> None:
    began = time.monotonic()
    with Pool(1, grace=0.2) as pool:
        got = outcomes(pool, "@hang", "@find(fake/one)", timeout=0.1)
    assert "did not stop at its limit of 0.1 s" in got[0]
    assert got[1] == "fake/one"
    assert time.monotonic() - began < 30


def test_a_deadline_is_kept_by_the_worker_itself() -> None:
    with Pool(1) as pool:
        assert "time limit" in outcomes(pool, "@slow", timeout=0.05)[0]


def test_memory_is_bounded() -> None:
    with Pool(1) as pool:
        got = outcomes(pool, "@memory", "@find(fake/one)")
    assert "ran out of memory" in got[0]
    assert got[1] == "fake/one"


def test_what_a_feature_prints_stays_off_the_report(capfd) -> None:
    with Pool(1) as pool:
        assert outcomes(pool, "@noise @find(fake/one)") == {0: "fake/one"}
    assert capfd.readouterr() == ("", "")


def test_leaving_the_pool_ends_busy_workers() -> None:
    with Pool(2) as pool:
        answers = pool.run(job(number, text) for number, text in enumerate(["@hang", "@find(fake/one)"]))
        next(answers)
        processes = [worker.process.pid for worker in (*pool._busy, *pool._idle)]
        assert len(processes) == 2
    assert not any(alive(pid) for pid in processes)


def alive(pid: int | None) -> bool:
    try:
        os.kill(pid or 0, 0)
    except ProcessLookupError:
        return False
    return True


def limited(monkeypatch, workers: int) -> None:
    """Let the system refuse to start more processes than that."""
    spawn, started = Pool._spawn, []

    def refuse(pool: Pool):
        if len(started) >= workers:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        started.append(spawn(pool))
        return started[-1]

    monkeypatch.setattr(Pool, "_spawn", refuse)


def test_where_the_system_allows_few_processes_those_do_all_the_work(monkeypatch) -> None:
    limited(monkeypatch, 2)
    with Pool(8) as pool:
        got = outcomes(pool, *[f"@find(fake/{number})" for number in range(20)])
    assert got == {number: f"fake/{number}" for number in range(20)}


def test_where_the_system_allows_no_process_it_is_told(monkeypatch) -> None:
    limited(monkeypatch, 0)
    with Pool(8) as pool, pytest.raises(WorkerError, match=r"resource temporarily unavailable.*ulimit"):
        outcomes(pool, "@find(fake/one)")
