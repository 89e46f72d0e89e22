"""``textDocument/codeLens`` shows above a declaration what guards the variable, and hover why an access is no race."""

import pytest
from lsp_client import Client

PROGRAM = """\
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int /* 😀 */ hits;
static int naked;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    /* 😀 */ hits++;
    pthread_mutex_unlock(&lock);
    naked++;
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    return 0;
}
"""
LINES = PROGRAM.splitlines()


def lenses(client, uri):
    return client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})


def hover(client, uri, line, word):
    character = len(LINES[line].split(word)[0].encode("utf-16-le")) // 2 + 1
    position = {"line": line, "character": character}
    return client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": position})


@pytest.fixture
def uri(client: Client, tmp_path) -> str:
    return client.open((tmp_path / "a.c").as_uri(), PROGRAM, "c")


def test_a_lens_stands_at_each_shared_variable(client, uri):
    told = {lens["range"]["start"]["line"]: lens["command"]["title"] for lens in lenses(client, uri)}
    assert told == {3: "guarded by lock", 4: "not guarded: 1 access races"}


def test_it_covers_the_name_in_the_clients_columns(client, uri):
    start = lenses(client, uri)[0]["range"]["start"]["character"]
    assert LINES[3].encode("utf-16-le")[2 * start :].decode("utf-16-le") == "hits;"


def test_an_edit_changes_it(client, uri):
    lenses(client, uri)
    client.change(uri, PROGRAM.replace("pthread_mutex_lock(&lock);", "").replace("pthread_mutex_unlock(&lock);", ""))
    assert [lens["command"]["title"] for lens in lenses(client, uri)] == ["not guarded: 1 access races"] * 2


def test_the_setting_turns_it_off_and_leaves_the_hover(start, tmp_path):
    client = start()
    client.settings = {"races": {"codeLens": False}}
    client.initialize()
    uri = client.open((tmp_path / "a.c").as_uri(), PROGRAM, "c")
    assert lenses(client, uri) == []
    assert hover(client, uri, 9, "hits") is not None


def test_a_document_that_is_not_open_has_none(client):
    assert not lenses(client, "file:///nowhere/a.c")


def test_hover_says_why_an_access_does_not_race(client, uri):
    client.pull(uri)
    shown = hover(client, uri, 9, "hits")
    assert shown["range"]["start"]["line"] == 9
    text = shown["contents"]["value"]
    assert text.startswith("**Update of `hits` in `work`: no race found**")
    assert "apart from itself in another thread: both hold `lock`" in text
    assert "started on line 19" in text


def test_hover_on_a_finding_adds_the_account_of_the_access(client, uri):
    client.pull(uri)
    finding, account = hover(client, uri, 11, "naked")["contents"]["value"].split("\n\n---\n\n")
    assert "race/lost-update" in finding
    assert account.startswith("**Update of `naked` in `work`: races**")


def test_hover_on_what_is_not_shared_has_nothing(client, uri):
    client.pull(uri)
    assert hover(client, uri, 16, "first") is None
