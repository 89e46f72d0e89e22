"""Analyses run beside the server: one can be slow, hang or crash, and everything else goes on."""

import time

import pytest
from lsp_client import Client, capabilities, gone, lsp_range

ONE = "file:///scheduling/one.script"
TWO = "file:///scheduling/two.script"
PULL = "textDocument/diagnostic"


def pulling(client: Client, uri: str) -> int:
    return client.begin(PULL, {"textDocument": {"uri": uri}})


def running(client: Client) -> list[int]:
    """Wait until an analysis process exists."""
    end = time.monotonic() + 30
    while not (children := client.children()):
        assert time.monotonic() < end
        time.sleep(0.01)
    return children


def started(client: Client, uri: str) -> None:
    """Wait until a slow analysis of a document is really under way: it has a progress bar."""
    client.wait(
        lambda message: message.get("method") == "$/progress" and "Analysing" in str(message["params"]["value"])
    )


def test_a_cancelled_request_is_answered_at_once_and_its_work_stops(fresh):
    fresh.open(ONE, "@slow")
    request = pulling(fresh, ONE)
    started(fresh, ONE)
    children = fresh.children()
    fresh.notify("$/cancelRequest", {"id": request})
    assert fresh.answer(request)["error"]["code"] == -32800
    fresh.open(TWO, "@warn")
    assert len(fresh.pull(TWO)["items"]) == 1
    assert fresh.children() == children


def test_ten_requests_of_which_nine_are_cancelled(fresh):
    fresh.open(ONE, "@slow")
    requests = [pulling(fresh, ONE) for _ in range(10)]
    for request in requests[:-1]:
        fresh.notify("$/cancelRequest", {"id": request})
    assert [fresh.answer(request)["error"]["code"] for request in requests[:-1]] == [-32800] * 9
    fresh.change(ONE, "@warn")
    assert len(fresh.answer(requests[-1])["result"]["items"]) == 1


def test_hover_and_actions_answer_while_an_analysis_runs(fresh):
    fresh.open(TWO, "@warn")
    fresh.pull(TWO)
    fresh.open(ONE, "@slow")
    request = pulling(fresh, ONE)
    started(fresh, ONE)
    position = {"line": 0, "character": 2}
    assert fresh.request("textDocument/hover", {"textDocument": {"uri": TWO}, "position": position}) is not None
    assert fresh.actions(TWO, (0, 0, 0, 1)) != []
    assert not any(message.get("id") == request and "method" not in message for message in fresh.seen)


def test_an_edit_stops_the_analysis_of_the_version_before_in_the_same_process(fresh):
    fresh.open(ONE, "@slow")
    request = pulling(fresh, ONE)
    started(fresh, ONE)
    children = fresh.children()
    fresh.change(ONE, "@warn")
    assert len(fresh.answer(request)["result"]["items"]) == 1
    assert fresh.children() == children


def test_a_process_that_ignores_a_cancellation_is_replaced(fresh):
    fresh.open(ONE, "@hang")
    request = pulling(fresh, ONE)
    started(fresh, ONE)
    [child] = fresh.children()
    fresh.change(ONE, "@warn")
    assert len(fresh.answer(request)["result"]["items"]) == 1
    assert gone(child)


def test_someone_who_waits_gets_a_second_process_when_the_first_is_busy(fresh):
    fresh.open(ONE, "@slow")
    pulling(fresh, ONE)
    started(fresh, ONE)
    fresh.open(TWO, "@warn")
    assert len(fresh.pull(TWO)["items"]) == 1
    assert len(fresh.children()) == 2


def test_a_crash_is_retried_without_anyone_noticing(fresh, tmp_path):
    fresh.open(ONE, f"@warn @crash-once({tmp_path / 'mark'})")
    assert len(fresh.pull(ONE)["items"]) == 1
    assert "trying again" in fresh.note("window/logMessage", type=3)["message"]
    assert fresh.all("window/showMessage") == []


def test_a_document_that_crashes_its_analysis_is_told_once_and_others_go_on(fresh):
    fresh.open(ONE, "@crash")
    for text in ("@crash", "@crash again"):
        fresh.change(ONE, text)
        assert fresh.pull(ONE)["items"] == []
    [told] = fresh.all("window/showMessage")
    assert "one.script could not be checked" in told["params"]["message"]
    assert "status 3" in told["params"]["message"]
    fresh.open(TWO, "@warn")
    assert len(fresh.pull(TWO)["items"]) == 1
    fresh.change(ONE, "@warn")
    assert len(fresh.pull(ONE)["items"]) == 1


def test_a_process_killed_while_idle_is_replaced_when_needed(fresh):
    fresh.open(ONE, "@warn")
    fresh.pull(ONE)
    [child] = fresh.children()
    __import__("os").kill(child, 9)
    assert gone(child)
    fresh.change(ONE, "@warn @warn")
    assert len(fresh.pull(ONE)["items"]) == 2


def test_a_hung_analysis_is_ended_after_its_time_and_tried_once_more(start):
    client = start()
    client.settings = {"timeout": 0.2}
    client.initialize()
    client.open(ONE, "@hang")
    assert client.pull(ONE)["items"] == []
    assert "gave no answer in time and was ended, 2 times" in client.note("window/showMessage")["message"]


def test_an_analysis_past_its_time_limit_is_partial_and_says_so(start):
    client = start()
    client.settings = {"timeout": 0.2}
    client.initialize()
    client.open(ONE, "@warn @slow")
    client.pull(ONE)
    assert "reached its time limit" in client.note("window/logMessage")["message"]


def test_a_bug_in_a_feature_is_one_line_without_a_traceback(fresh):
    fresh.open(ONE, "@raise")
    assert fresh.pull(ONE)["items"] == []
    said = fresh.note("window/logMessage")["message"]
    assert "ValueError: a bug" in said
    assert "Traceback" not in said
    assert b"Traceback" not in fresh.errors


def test_progress_is_shown_reported_and_removed(fresh):
    fresh.open(ONE, "@slow")
    request = pulling(fresh, ONE)
    token = fresh.note("window/workDoneProgress/create")["token"]

    def of_kind(kind: str):
        return fresh.wait(
            lambda message: (
                message.get("method") == "$/progress"
                and message["params"]["token"] == token
                and message["params"]["value"]["kind"] == kind
            )
        )["params"]["value"]

    assert of_kind("begin") == {"kind": "begin", "title": "Analysing one.script", "cancellable": True}
    assert of_kind("report")["percentage"] == 50
    fresh.change(ONE, "")
    fresh.answer(request)
    assert of_kind("end") == {"kind": "end"}


def test_the_button_of_the_progress_bar_stops_the_analysis(fresh):
    fresh.open(ONE, "@slow")
    request = pulling(fresh, ONE)
    started(fresh, ONE)
    token = fresh.note("window/workDoneProgress/create")["token"]
    fresh.notify("window/workDoneProgress/cancel", {"token": token})
    error = fresh.answer(request)["error"]
    assert (error["code"], error["data"]) == (-32802, {"retriggerRequest": False})


def test_quick_work_shows_no_progress(fresh):
    fresh.open(ONE, "@warn")
    fresh.pull(ONE)
    assert fresh.all("window/workDoneProgress/create") == []


def test_an_editor_without_progress_gets_none(start):
    client = start()
    client.initialize(capabilities=capabilities(window__workDoneProgress=False))
    client.open(ONE, "@hang")
    request = pulling(client, ONE)
    time.sleep(0.8)
    client.change(ONE, "@warn")
    assert client.answer(request)["result"]["items"][0]["range"] == lsp_range(0, 0, 0, 5)
    assert client.all("window/workDoneProgress/create") == []


def test_a_bar_that_the_editor_never_confirms_delays_nothing(start):
    client = start()
    client.silent.add("window/workDoneProgress/create")
    client.initialize()
    client.open(ONE, "@slow")
    request = pulling(client, ONE)
    client.note("window/workDoneProgress/create")
    client.change(ONE, "@warn")
    assert len(client.answer(request)["result"]["items"]) == 1


def test_a_process_that_cannot_start_is_said_with_what_to_do(start, tmp_path):
    (tmp_path / "assay_scripted.py").write_text("import os\nos._exit(9)\n")
    dist = tmp_path / "assay_scripted-1.0.dist-info"
    dist.mkdir()
    (dist / "METADATA").write_text("Metadata-Version: 2.1\nName: assay-scripted\nVersion: 1.0\n")
    (dist / "entry_points.txt").write_text("[assay.features]\nscripted = assay_scripted:feature\n")
    client = start(env={"PYTHONPATH": str(tmp_path)})
    client.initialize()
    client.open(ONE, "@warn")
    assert client.pull(ONE)["items"] == []
    assert "Run `assay doctor`" in client.note("window/showMessage")["message"]
    assert client.call("no/such")["error"]["code"] == -32601


@pytest.mark.parametrize("count", [200])
def test_edits_in_quick_succession_end_like_a_fresh_open(fresh, count):
    fresh.open(ONE, "")
    for number in range(count):
        fresh.change(ONE, f"😀 @warn{number}\n", (number, 0, number, 0))
    fresh.open(TWO, "".join(f"😀 @warn{number}\n" for number in range(count)))
    assert fresh.pull(ONE)["items"] == fresh.pull(TWO)["items"]
    assert len(fresh.pull(ONE)["items"]) == count
