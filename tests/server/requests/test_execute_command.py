"""``workspace/executeCommand``: explaining rules and carrying out offers."""

import pytest
from lsp_client import capabilities, lsp_range

URI = "file:///commands/a.script"


def explain(client, code="script/warn"):
    return client.request("workspace/executeCommand", {"command": "assay.explain", "arguments": [code]})


def offered(client, text="@offer"):
    client.open(URI, text)
    client.pull(URI)
    action = next(action for action in client.actions(URI, (0, 0, 0, 0)) if action["title"] == "Do as offered")
    return {key: action["command"][key] for key in ("command", "arguments")}


def opened(client):
    """Let an analysis process tell what the rules are."""
    client.open(URI, "")
    client.pull(URI)


def test_explaining_opens_the_page_and_gives_its_text(client):
    opened(client)
    assert explain(client) == "# script/warn\n\nAll about script/warn.\n"
    page = client.note("window/showDocument")
    assert page == {"uri": "https://assay-ls.github.io/rules/script-warn", "external": True}
    assert client.all("window/showMessage") == []


def test_an_editor_that_cannot_open_pages_gets_a_message(start):
    client = start()
    client.initialize(capabilities=capabilities(window__showDocument=None))
    opened(client)
    assert explain(client).startswith("# script/warn")
    assert client.note("window/showMessage")["message"].startswith("script/warn: About script/warn.")


def test_an_editor_that_shows_pages_itself_gets_only_the_text(start):
    client = start()
    client.initialize(capabilities=capabilities(experimental={"assay": {"showsPages": True}}))
    opened(client)
    assert explain(client).startswith("# script/warn")
    assert client.all("window/showDocument") == []
    assert client.all("window/showMessage") == []


def test_an_offer_is_carried_out_and_its_edit_applied_to_the_version_it_was_for(client):
    command = offered(client)
    assert client.request("workspace/executeCommand", command) == {"applied": True, "message": "It is done."}
    [change] = client.note("workspace/applyEdit")["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": URI, "version": 1}
    assert change["edits"] == [{"range": lsp_range(0, 0, 0, 6), "newText": "done"}]
    assert client.note("window/showMessage")["message"] == "It is done."


def test_an_edit_that_the_editor_refuses_counts_as_not_applied(client):
    client.answers["workspace/applyEdit"] = {"applied": False}
    assert client.request("workspace/executeCommand", offered(client))["applied"] is False


def test_an_offer_for_an_older_version_is_refused(client):
    command = offered(client)
    client.change(URI, "@offer ")
    assert client.call("workspace/executeCommand", command)["error"]["code"] == -32801
    assert client.all("workspace/applyEdit") == []


def test_an_edit_during_the_work_leaves_the_document_alone(client):
    command = offered(client, "@offer @work")
    request = client.begin("workspace/executeCommand", command)
    client.note("window/workDoneProgress/create")
    client.change(URI, "@offer")
    client.open("file:///commands/other.script", "@warn")
    token = client.note("window/workDoneProgress/create")["token"]
    client.notify("window/workDoneProgress/cancel", {"token": token})
    assert client.answer(request)["result"]["applied"] is False
    assert client.all("workspace/applyEdit") == []


def test_work_shows_progress_and_its_button_stops_it(client):
    request = client.begin("workspace/executeCommand", offered(client, "@offer @work"))
    begin = client.wait(lambda message: message.get("method") == "$/progress")["params"]
    assert begin["value"]["title"] == "Do as offered"
    client.notify("window/workDoneProgress/cancel", {"token": begin["token"]})
    assert client.answer(request)["result"] == {"applied": False, "message": "Do as offered: cancelled."}


def test_cancelling_the_request_stops_the_work(client):
    request = client.begin("workspace/executeCommand", offered(client, "@offer @work"))
    client.wait(lambda message: message.get("method") == "$/progress")
    client.notify("$/cancelRequest", {"id": request})
    assert client.answer(request)["error"]["code"] == -32800
    client.change(URI, "@warn")
    assert len(client.pull(URI)["items"]) == 1


@pytest.mark.parametrize("change", [{"version": "1"}, {"span": [0, 0]}, {"data": {"x": 1}}, {"feature": None}])
def test_a_tampered_offer_is_refused(client, change):
    command = offered(client)
    command["arguments"][0].update(change)
    assert client.call("workspace/executeCommand", command)["error"]["code"] == -32602


def test_an_offer_of_an_unknown_feature_fails_with_a_reason(client):
    command = offered(client)
    command["arguments"][0]["feature"] = "nobody"
    error = client.call("workspace/executeCommand", command)["error"]
    assert error["code"] == -32803
    assert "nobody" in error["message"]
