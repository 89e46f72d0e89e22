"""What can go wrong around the server, each with the real one: nothing is lost, and the person reads one clear line."""

import os
import resource
import signal
import sqlite3
import time
from pathlib import Path

import pytest
from lsp_client import FAKES, Client, capabilities, gone

PUBLISH = "textDocument/publishDiagnostics"
PUSHED = capabilities(textDocument__diagnostic=None)
PADDING = " " * 30_000
"""Makes a document long enough for the result cache."""


def codes(items: list[dict]) -> list[str]:
    return [item["code"] for item in items]


def under_way(mark: Path) -> None:
    """Wait until an analysis has left its mark."""
    end = time.monotonic() + 30
    while not mark.exists():
        assert time.monotonic() < end, "the analysis never began"
        time.sleep(0.01)


def analyses(counter: Path) -> int:
    return counter.stat().st_size if counter.exists() else 0


def last_published(client: Client) -> dict[str, list[str]]:
    return {note["params"]["uri"]: codes(note["params"]["diagnostics"]) for note in client.all(PUBLISH)}


def told(client: Client) -> list[str]:
    """Give everything that was shown or logged as a warning."""
    notes = client.all("window/showMessage") + client.all("window/logMessage")
    return [note["params"]["message"] for note in notes if note["params"]["type"] <= 2]


class Slow:
    """A document that takes long enough to be remembered, and a count of its analyses."""

    def __init__(self, folder: Path) -> None:
        self.counter = folder / "count"
        self.uri = (folder / "slow.script").as_uri()
        self.text = f"@warn @take(0.3) @count({self.counter})" + PADDING
        self.cache = {"ASSAY_CACHE_DIR": str(folder / "cache")}


@pytest.fixture
def slow(tmp_path) -> Slow:
    return Slow(tmp_path)


def intact(cache: dict[str, str]) -> bool:
    with sqlite3.connect(Path(cache["ASSAY_CACHE_DIR"]) / "reports.sqlite") as connection:
        return connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


# Processes that are killed.


def test_a_server_killed_while_it_analyses_leaves_no_process_and_a_cache_that_the_next_one_uses(start, slow, tmp_path):
    first = start(env=slow.cache)
    first.initialize()
    first.open(slow.uri, slow.text)
    assert codes(first.pull(slow.uri)["items"]) == ["script/warn"]
    first.open(slow.uri, f"@hang-once({tmp_path / 'mark'})" + PADDING)
    first.begin("textDocument/diagnostic", {"textDocument": {"uri": slow.uri}})
    under_way(tmp_path / "mark")
    children = first.children()
    first.process.kill()
    assert children
    assert all(gone(child) for child in children)
    second = start(env=slow.cache)
    second.initialize()
    second.open(slow.uri, slow.text)
    assert codes(second.pull(slow.uri)["items"]) == ["script/warn"]
    assert analyses(slow.counter) == 1
    assert intact(slow.cache)


def test_a_process_killed_while_it_analyses_is_replaced_and_the_result_comes_without_a_popup(fresh, tmp_path):
    uri = fresh.open("file:///failures/a.script", f"@warn @hang-once({tmp_path / 'mark'})")
    request = fresh.begin("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    under_way(tmp_path / "mark")
    [child] = fresh.children()
    os.kill(child, signal.SIGKILL)
    assert codes(fresh.answer(request)["result"]["items"]) == ["script/warn"]
    assert "status -9" in fresh.note("window/logMessage", type=3)["message"]
    assert fresh.all("window/showMessage") == []


def test_a_process_killed_twice_is_told_once_and_the_next_edit_is_analysed(fresh):
    uri = fresh.open("file:///failures/a.script", "@slow")
    request = fresh.begin("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    killed: set[int] = set()
    while not fresh.all("window/showMessage"):
        for child in set(fresh.children()) - killed:
            os.kill(child, signal.SIGKILL)
            killed.add(child)
        time.sleep(0.01)
    assert fresh.answer(request)["result"]["items"] == []
    [shown] = fresh.all("window/showMessage")
    assert "a.script could not be checked" in shown["params"]["message"]
    fresh.change(uri, "@warn")
    assert codes(fresh.pull(uri)["items"]) == ["script/warn"]
    assert len(fresh.all("window/showMessage")) == 1


# The cache.


def no_large_files() -> None:
    """Let every file end at 4096 bytes, as a full disk does."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def check_two_documents(client: Client, folder: Path) -> None:
    for name in ("a.script", "b.script"):
        uri = client.open((folder / name).as_uri(), "@warn @take(0.25)" + PADDING)
        assert codes(client.pull(uri)["items"]) == ["script/warn"]


def test_a_full_disk_under_the_cache_costs_one_line_in_the_log_and_no_result(start, tmp_path):
    client = start(preexec_fn=no_large_files)
    client.initialize()
    check_two_documents(client, tmp_path)
    [line] = told(client)
    assert "The result cache in" in line
    assert "Set ASSAY_CACHE_DIR" in line


def test_a_home_that_cannot_be_written_costs_one_line_in_the_log_and_no_result(start, tmp_path):
    client = start(env={"HOME": "/proc/none", "XDG_CACHE_HOME": "/proc/none", "ASSAY_CACHE_DIR": ""})
    client.initialize()
    check_two_documents(client, tmp_path)
    [line] = told(client)
    assert "The result cache in /proc/none" in line


def test_a_cache_damaged_between_two_sessions_is_started_over(start, slow):
    folder = Path(slow.cache["ASSAY_CACHE_DIR"])
    folder.mkdir()
    (folder / "reports.sqlite").write_bytes(b"no database" * 1000)
    for _ in range(2):
        client = start(env=slow.cache)
        client.initialize()
        client.open(slow.uri, slow.text)
        assert codes(client.pull(slow.uri)["items"]) == ["script/warn"]
        assert told(client) == []
    assert analyses(slow.counter) == 1


def test_two_windows_on_one_folder_share_the_cache(start, slow):
    windows = [start(env=slow.cache) for _ in range(2)]
    for window in windows:
        window.initialize()
        window.open(slow.uri, slow.text)
    requests = [window.begin("textDocument/diagnostic", {"textDocument": {"uri": slow.uri}}) for window in windows]
    for window, request in zip(windows, requests, strict=True):
        assert codes(window.answer(request)["result"]["items"]) == ["script/warn"]
        assert told(window) == []
    before = analyses(slow.counter)
    third = start(env=slow.cache)
    third.initialize()
    third.open(slow.uri, slow.text)
    assert codes(third.pull(slow.uri)["items"]) == ["script/warn"]
    assert analyses(slow.counter) == before
    assert intact(slow.cache)


# Much at once.


def test_two_hundred_documents_opened_at_once_all_get_their_diagnostics_and_hover_does_not_wait_for_them(start):
    client = start()
    client.initialize(capabilities=PUSHED)
    first = client.open("file:///burst/first.script", "@warn")
    client.note(PUBLISH, uri=first)
    uris = [client.open(f"file:///burst/{number}.script", "@warn @take(0.02)") for number in range(200)]
    hover = client.request(
        "textDocument/hover", {"textDocument": {"uri": first}, "position": {"line": 0, "character": 1}}
    )
    assert hover is not None
    assert len(last_published(client)) < 150
    for uri in uris:
        assert len(client.note(PUBLISH, uri=uri)["diagnostics"]) == 1
    assert len(client.all(PUBLISH)) == 201
    assert len(client.children()) <= 2
    assert resident(client.process.pid) < 100_000_000


def resident(process: int) -> int:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


def test_settings_that_change_while_analyses_run_hold_for_every_document(start):
    client = start()
    client.initialize(capabilities=PUSHED)
    uris = [client.open(f"file:///settings/{number}.script", "@warn @fix @take(0.01)") for number in range(20)]
    for ignored in ("script/warn", "script/fix", "script/warn"):
        client.note(PUBLISH, start=len(client.seen) - 1)
        client.settings = {"ignore": [ignored]}
        client.notify("workspace/didChangeConfiguration", {"settings": None})
    end = time.monotonic() + 30
    while list(last_published(client).values()) != [["script/fix"]] * len(uris):
        assert time.monotonic() < end, last_published(client)
        time.sleep(0.02)
    settled = client.open("file:///settings/settled.script", "@fix")
    client.note(PUBLISH, uri=settled)
    assert last_published(client) == {uri: ["script/fix"] for uri in (*uris, settled)}


# Files that move.


def test_a_file_deleted_while_it_is_open_keeps_its_diagnostics(start, tmp_path):
    client = start()
    client.initialize(capabilities=PUSHED)
    file = tmp_path / "a.script"
    file.write_text("@warn")
    uri = client.open(file.as_uri(), "@warn")
    client.note(PUBLISH, uri=uri, version=1)
    file.unlink()
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 3}]})
    version = client.change(uri, "@warn @warn")
    assert len(client.note(PUBLISH, uri=uri, version=version)["diagnostics"]) == 2
    assert told(client) == []


def test_a_renamed_file_takes_its_diagnostics_along(start, tmp_path):
    client = start()
    client.initialize(capabilities=PUSHED)
    old, new = tmp_path / "old.script", tmp_path / "new.script"
    old.write_text("@warn")
    client.open(old.as_uri(), "@warn")
    client.note(PUBLISH, uri=old.as_uri(), version=1)
    old.rename(new)
    client.notify("textDocument/didClose", {"textDocument": {"uri": old.as_uri()}})
    client.open(new.as_uri(), "@warn")
    client.note(PUBLISH, uri=new.as_uri())
    assert last_published(client) == {old.as_uri(): [], new.as_uri(): ["script/warn"]}


def test_a_neighbour_that_is_deleted_is_no_longer_read(start, tmp_path):
    client = start()
    client.initialize(capabilities=PUSHED)
    neighbour = tmp_path / "b.script"
    neighbour.write_text("here")
    uri = client.open((tmp_path / "a.script").as_uri(), "@read(b.script)")
    assert client.note(PUBLISH, uri=uri)["diagnostics"][0]["message"] == "read here"
    neighbour.unlink()
    begin = len(client.seen)
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": neighbour.as_uri(), "type": 3}]})
    assert client.note(PUBLISH, begin, uri=uri)["diagnostics"][0]["message"] == "read None"


# The client, and the clock.


def test_a_client_that_stops_reading_for_a_while_misses_nothing(fresh):
    uri = fresh.open("file:///pause/a.script", "@warn " * 50)
    fresh.pull(uri)
    params = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 1}}
    fresh.stop_reading()
    requests = [fresh.begin("textDocument/codeAction", actions(uri)) for _ in range(300)]
    requests.append(fresh.begin("textDocument/hover", params))
    fresh.change(uri, "@fix")
    requests.append(fresh.begin("textDocument/diagnostic", {"textDocument": {"uri": uri}}))
    fresh.go_on_reading()
    answers = [fresh.answer(request) for request in requests]
    assert all("result" in answer or answer["error"]["code"] == -32801 for answer in answers)
    assert codes(answers[-1]["result"]["items"]) == ["script/fix"]


def actions(uri: str) -> dict:
    span = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 300}}
    return {"textDocument": {"uri": uri}, "range": span, "context": {"diagnostics": []}}


JUMPING_CLOCK = """
import itertools, time
real, steps = time.time, itertools.cycle((86_400.0, -86_400.0, 0.0))
time.time = lambda: real() + next(steps)
"""


def test_a_clock_that_jumps_changes_nothing(start, slow, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(JUMPING_CLOCK)
    for _ in range(2):
        client = start(env={**slow.cache, "PYTHONPATH": f"{tmp_path}:{FAKES}"})
        client.initialize()
        client.open(slow.uri, slow.text)
        assert codes(client.pull(slow.uri)["items"]) == ["script/warn"]
        client.change(slow.uri, "@warn @warn")
        assert len(client.pull(slow.uri)["items"]) == 2
        assert told(client) == []
    assert analyses(slow.counter) == 1


# Texts that are too long.


@pytest.mark.parametrize("text", ["x" * 5_000_000, "\n" * 600_000])
def test_a_document_that_is_too_long_is_told_once_and_followed_again_once_it_is_short(fresh, text):
    uri = fresh.open("file:///long/a.script", text)
    assert fresh.pull(uri)["items"] == []
    fresh.change(uri, "@warn", (0, 0, 0, 0))
    assert fresh.pull(uri)["items"] == []
    [shown] = fresh.all("window/showMessage")
    assert "a.script is not checked while it is open" in shown["params"]["message"]
    fresh.change(uri, "@warn")
    assert codes(fresh.pull(uri)["items"]) == ["script/warn"]
    fresh.change(uri, text, (0, 0, 0, 0))
    assert fresh.pull(uri)["items"] == []
    assert resident(fresh.process.pid) < 150_000_000


def test_a_message_too_large_to_be_read_is_told_once(fresh):
    for _ in range(2):
        fresh.raw(b"Content-Length: %d\r\n\r\n" % (65 * 1024 * 1024) + b" " * (65 * 1024 * 1024))
    assert fresh.call("no/such")["error"]["code"] == -32601
    [shown] = fresh.all("window/showMessage")
    assert "too large to be read" in shown["params"]["message"]


def test_more_text_than_an_analysis_process_can_hold_costs_no_result(fresh, tmp_path):
    for number in range(30):
        fresh.open((tmp_path / f"{number}.text").as_uri(), "x" * 3_900_000, language="text")
    uri = fresh.open((tmp_path / "a.script").as_uri(), "@warn")
    assert codes(fresh.pull(uri)["items"]) == ["script/warn"]
    assert told(fresh) == []
    [child] = fresh.children()
    assert resident(child) < 150_000_000
