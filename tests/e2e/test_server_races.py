"""The whole server on C programs: race warnings from the first open to the suppression that silences them."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsp_client import Client, capabilities

pytestmark = pytest.mark.e2e

RACY = """\
#include <pthread.h>

/* café 漢字 😀 */ static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    /* 😀 */ counter++;
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return counter;
}
"""
LINE = next(number for number, line in enumerate(RACY.splitlines()) if "counter++" in line)
LOCKED = RACY.replace("/* 😀 */ counter++;", "pthread_mutex_lock(&lock); counter++; pthread_mutex_unlock(&lock);")


@pytest.fixture
def client() -> Iterator[Client]:
    started = Client()
    yield started
    started.close()


def column(encoding: str) -> int:
    before = RACY.splitlines()[LINE].split("counter++")[0]
    return {"utf-8": len(before.encode()), "utf-16": len(before.encode("utf-16-le")) // 2, "utf-32": len(before)}[
        encoding
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_a_race_is_found_explained_and_silenced(client, tmp_path, encoding):
    client.initialize(capabilities=capabilities(general__positionEncodings=[encoding]))
    uri = client.open((tmp_path / "racy.c").as_uri(), RACY, "c")
    [item] = client.pull(uri)["items"]
    assert (item["code"], item["source"], item["severity"]) == ("race/lost-update", "assay", 2)
    assert item["range"]["start"] == {"line": LINE, "character": column(encoding)}
    assert item["data"]["pairs"] == [{"variable": "counter", "lines": [LINE + 1, LINE + 1]}]
    position = item["range"]["start"]
    hover = client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": position})
    assert "counter" in hover["contents"]["value"]
    assert "assay check" in hover["contents"]["value"]
    place = (LINE, column(encoding), LINE, column(encoding))
    suppress = next(action for action in client.actions(uri, place) if action["title"].startswith("Suppress"))
    [change] = client.request("codeAction/resolve", suppress)["edit"]["documentChanges"]
    [edit] = change["edits"]
    assert edit["range"]["start"]["line"] == LINE
    start, end = edit["range"]["start"], edit["range"]["end"]
    client.change(uri, edit["newText"], (start["line"], start["character"], end["line"], end["character"]))
    assert client.pull(uri)["items"] == []


def test_locking_the_update_makes_the_warning_go_away(client, tmp_path):
    client.initialize(capabilities=capabilities(textDocument__diagnostic=None))
    uri = client.open((tmp_path / "racy.c").as_uri(), RACY, "c")
    assert len(client.note("textDocument/publishDiagnostics", version=1)["diagnostics"]) == 1
    version = client.change(uri, LOCKED)
    assert client.note("textDocument/publishDiagnostics", version=version)["diagnostics"] == []


def test_a_lock_that_an_open_header_takes_away_is_noticed(client, tmp_path):
    client.initialize()
    header = tmp_path / "guard.h"
    header.write_text("#define LOCK(m) pthread_mutex_lock(m)\n#define UNLOCK(m) pthread_mutex_unlock(m)\n")
    text = LOCKED.replace("#include <pthread.h>", '#include <pthread.h>\n#include "guard.h"')
    text = text.replace("pthread_mutex_lock(", "LOCK(").replace("pthread_mutex_unlock(", "UNLOCK(")
    uri = client.open((tmp_path / "main.c").as_uri(), text, "c")
    assert client.pull(uri)["items"] == []
    opened = client.open(header.as_uri(), header.read_text(), "c")
    start = len(client.seen)
    client.change(opened, "#define LOCK(m)\n#define UNLOCK(m)\n")
    client.note("workspace/diagnostic/refresh", start)
    assert [item["code"] for item in client.pull(uri)["items"]] == ["race/lost-update"]


def test_a_race_is_explained_with_its_page(client):
    client.initialize()
    uri = client.open("untitled:Untitled-1", RACY, "c")
    assert len(client.pull(uri)["items"]) == 1
    page = client.request("workspace/executeCommand", {"command": "assay.explain", "arguments": ["race/lost-update"]})
    assert page.startswith("#")
    assert "```c" in page


@pytest.mark.parametrize("text", [
    "",
    "{" * 10_000,
    "(" * 10_000,
    "int x = " + "1 + " * 20_000 + "1;",
    "#include \"self.c\"\n" * 3,
    "\x00\x01\x02",
    "#define A A A\nA\n" * 100,
    "void f( { ] ) } if while",
    "// \ud83d\n" + RACY.replace("int main", "\ud83d int main"),
])  # fmt: skip
def test_no_document_stops_the_server(client, tmp_path, text):
    client.initialize()
    uri = client.open((tmp_path / "self.c").as_uri(), text, "c")
    client.pull(uri)
    good = client.open((tmp_path / "racy.c").as_uri(), RACY, "c")
    assert len(client.pull(good)["items"]) == 1


def test_server_and_one_analysis_process_stay_small(client, tmp_path):
    """120 MB after a large file: what the numbers of the project promise."""
    client.initialize(processId=os.getpid())
    functions = "".join(f"static int f{n}(int x) {{ return x + {n}; }}\n" for n in range(10_000))
    uri = client.open((tmp_path / "large.c").as_uri(), functions + RACY, "c")
    assert len(client.pull(uri)["items"]) == 1
    client.open((tmp_path / "small.c").as_uri(), RACY, "c")
    client.pull((tmp_path / "small.c").as_uri())
    processes = [client.process.pid, *client.children()]
    assert len(processes) == 2
    assert sum(resident(process) for process in processes) <= 120_000_000


def resident(process: int) -> int:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))
