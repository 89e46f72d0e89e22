"""Diagnostics reach the editor once, for the version they were computed for, in its encoding."""

import pytest
from lsp_client import capabilities, lsp_range

URI = "file:///diagnostics/a.script"
PUSH = {"textDocument__diagnostic": None}
PUBLISH = "textDocument/publishDiagnostics"


@pytest.fixture
def pushed(start):
    client = start()
    client.initialize(capabilities=capabilities(**PUSH))
    return client


def test_a_diagnostic_carries_everything_that_the_finding_has(client):
    client.open(URI, "😀 @warn\n@also\n")
    [item] = client.pull(URI)["items"]
    assert item == {
        "range": lsp_range(0, 3, 0, 8),
        "severity": 2,
        "code": "script/warn",
        "codeDescription": {"href": "https://assay-ls.github.io/rules/script-warn"},
        "source": "assay",
        "message": "x_1 *is* wrong",
        "data": {"confidence": "proved", "key": "value"},
        "relatedInformation": [
            {"location": {"uri": URI, "range": lsp_range(1, 0, 1, 5)}, "message": "the other place"}
        ],
    }


def test_what_is_inconclusive_is_a_hint(client):
    client.open(URI, "@unsure")
    assert [item["severity"] for item in client.pull(URI)["items"]] == [4]


@pytest.mark.parametrize(("offered", "chosen", "column"), [
    (["utf-8", "utf-16"], "utf-8", 4 + 3 + 1),
    (["utf-16"], "utf-16", 2 + 1 + 1),
    (["utf-32", "utf-8"], "utf-32", 1 + 1 + 1),
    (["utf-7", 5, "utf-32"], "utf-32", 1 + 1 + 1),
    ([], "utf-16", 2 + 1 + 1),
])  # fmt: skip
def test_columns_are_in_the_clients_first_known_encoding(start, offered, chosen, column):
    client = start()
    result = client.initialize(capabilities=capabilities(general__positionEncodings=offered))
    assert result["capabilities"]["positionEncoding"] == chosen
    client.open(URI, "😀漢 @warn")
    assert client.pull(URI)["items"][0]["range"] == lsp_range(0, column, 0, column + 5)
    client.change(URI, "", (0, 0, 0, column))
    assert client.pull(URI)["items"][0]["range"] == lsp_range(0, 0, 0, 5)


def test_an_unchanged_document_is_not_sent_twice(client):
    client.open(URI, "@warn")
    first = client.pull(URI)
    assert first["kind"] == "full"
    assert client.pull(URI, first["resultId"]) == {"kind": "unchanged", "resultId": first["resultId"]}
    client.change(URI, "@warn ")
    assert client.pull(URI, first["resultId"])["kind"] == "full"


def test_a_pull_during_edits_answers_for_the_newest_version(client):
    client.open(URI, "@slow")
    request = client.begin("textDocument/diagnostic", {"textDocument": {"uri": URI}})
    client.change(URI, "@warn @warn")
    assert len(client.answer(request)["result"]["items"]) == 2


def test_an_editor_that_pulls_gets_nothing_pushed(client):
    client.open(URI, "@warn")
    assert client.pull(URI)["items"]
    client.change(URI, "@warn @warn")
    assert client.pull(URI)["items"]
    assert client.all(PUBLISH) == []


def test_an_editor_that_cannot_pull_gets_each_version_pushed_with_its_number(pushed):
    assert "diagnosticProvider" not in pushed.answer(1)["result"]["capabilities"]
    pushed.open(URI, "@warn", version=7)
    assert len(pushed.note(PUBLISH, uri=URI, version=7)["diagnostics"]) == 1
    pushed.change(URI, "@warn @warn")
    assert len(pushed.note(PUBLISH, uri=URI, version=8)["diagnostics"]) == 2


def test_results_for_outdated_versions_are_never_pushed(pushed):
    pushed.open(URI, "@slow")
    for number in range(20):
        pushed.change(URI, "@warn" * (number + 1))
    assert len(pushed.note(PUBLISH, version=21)["diagnostics"]) == 20
    versions = [message["params"]["version"] for message in pushed.all(PUBLISH)]
    assert versions == sorted(versions)
    for message in pushed.all(PUBLISH):
        assert len(message["params"]["diagnostics"]) == message["params"]["version"] - 1


def test_closing_takes_pushed_diagnostics_back(pushed):
    pushed.open(URI, "@warn")
    pushed.note(PUBLISH, version=1)
    start = len(pushed.seen)
    pushed.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert pushed.note(PUBLISH, start, uri=URI)["diagnostics"] == []


def test_a_related_place_in_another_file_is_located_there(client, tmp_path):
    (tmp_path / "other.script").write_text("漢😀 @target", encoding="utf-8")
    uri = client.open((tmp_path / "a.script").as_uri(), "@there(other.script)")
    [item] = client.pull(uri)["items"]
    place = {"uri": (tmp_path / "other.script").as_uri(), "range": lsp_range(0, 4, 0, 11)}
    assert item["relatedInformation"] == [{"location": place, "message": "over there"}]


def test_an_open_neighbour_is_read_from_the_editor_and_its_edits_check_again(client, tmp_path):
    (tmp_path / "h.script").write_text("disk", encoding="utf-8")
    main = client.open((tmp_path / "main.script").as_uri(), "@read(h.script)")
    assert client.pull(main)["items"][0]["message"] == "read disk"
    header = client.open((tmp_path / "h.script").as_uri(), "editor")
    client.note("workspace/diagnostic/refresh")
    assert client.pull(main)["items"][0]["message"] == "read editor"
    start = len(client.seen)
    client.change(header, "edited")
    client.note("workspace/diagnostic/refresh", start)
    assert client.pull(main)["items"][0]["message"] == "read edited"
    client.notify("textDocument/didClose", {"textDocument": {"uri": header}})
    assert client.pull(main)["items"][0]["message"] == "read disk"


def test_a_neighbour_that_changes_on_disk_checks_again(pushed, tmp_path):
    main = pushed.open((tmp_path / "main.script").as_uri(), "@read(h.script)")
    assert pushed.note(PUBLISH, uri=main)["diagnostics"][0]["message"] == "read None"
    (tmp_path / "h.script").write_text("now there", encoding="utf-8")
    start = len(pushed.seen)
    event = {"uri": (tmp_path / "h.script").as_uri(), "type": 1}
    pushed.notify("workspace/didChangeWatchedFiles", {"changes": [event]})
    again = pushed.note(PUBLISH, start, uri=main)
    assert (again["diagnostics"][0]["message"], again["version"]) == ("read now there", 1)


@pytest.mark.parametrize("uri", [
    "untitled:Untitled-1",
    "file:///no%20such%20folder/%E6%BC%A2%F0%9F%98%80.script",
    "file:///no such folder/漢😀.script",
    "inmemory://model/1",
])  # fmt: skip
def test_documents_of_any_uri_are_checked(client, uri):
    client.open(uri, "@warn")
    assert len(client.pull(uri)["items"]) == 1
    assert client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 1}})


@pytest.mark.parametrize(("uri", "language"), [
    ("file:///x/a.py", "python"),
    ("file:///x/a", ""),
    ("vscode-notebook-cell:/x/a.ipynb#W0s", "script"),
])  # fmt: skip
def test_other_languages_and_notebook_cells_are_accepted_and_have_no_findings(client, uri, language):
    client.open(uri, "@warn", language)
    assert client.pull(uri)["items"] == []
    assert client.actions(uri, (0, 0, 0, 3)) == []


def test_a_document_that_is_not_open_has_no_findings(client):
    assert client.pull("file:///never/opened.script")["items"] == []


def test_lone_surrogates_in_a_document_are_survived(client):
    client.open(URI, "\ud83d @warn \ude00")
    assert client.pull(URI)["items"][0]["range"] == lsp_range(0, 2, 0, 7)
