"""``textDocument/codeAction`` and ``codeAction/resolve``: lazy edits, for one version or not at all."""

import pytest
from lsp_client import capabilities, lsp_range

URI = "file:///actions/a.script"


def titles(actions):
    return [action["title"] for action in actions]


def named(actions, title):
    return next(action for action in actions if action["title"] == title)


def test_a_finding_offers_its_fixes_a_suppression_and_an_explanation(client):
    client.open(URI, "@fix")
    client.pull(URI)
    actions = client.actions(URI, (0, 0, 0, 0))
    assert titles(actions) == ["Replace it", "Suppress script/fix on this line", "Explain script/fix"]
    assert {action["kind"] for action in actions} == {"quickfix"}
    assert actions[0]["isPreferred"] is True
    assert all("edit" not in action for action in actions)
    assert actions[2]["command"]["command"] == "assay.explain"


def test_a_diagnostic_that_the_client_names_counts_wherever_the_cursor_is(client):
    client.open(URI, "some words @warn")
    client.pull(URI)
    assert client.actions(URI, (0, 2, 0, 2)) == []
    shown = {"range": lsp_range(0, 11, 0, 16), "message": "warn", "source": "assay"}
    actions = client.actions(URI, (0, 2, 0, 2), diagnostics=[shown])
    assert titles(actions) == ["Suppress script/warn on this line", "Explain script/warn"]
    assert client.actions(URI, (0, 2, 0, 2), diagnostics=[{**shown, "source": "another"}]) == []


def test_resolving_a_fix_gives_an_edit_of_the_version_it_was_listed_for(client):
    client.open(URI, "😀@fix", version=5)
    client.pull(URI)
    resolved = client.request("codeAction/resolve", client.actions(URI, (0, 3, 0, 3))[0])
    assert resolved["edit"] == {
        "documentChanges": [
            {
                "textDocument": {"uri": URI, "version": 5},
                "edits": [{"range": lsp_range(0, 2, 0, 6), "newText": "fixed"}],
            }
        ]
    }


def test_resolving_a_suppression_inserts_the_comment(client):
    client.open(URI, "x @warn\n@also\n")
    client.pull(URI)
    actions = client.actions(URI, (1, 0, 1, 0))
    suppress = named(actions, "Suppress script/warn on line 1")
    [change] = client.request("codeAction/resolve", suppress)["edit"]["documentChanges"]
    [edit] = change["edits"]
    assert edit["range"] == lsp_range(0, 7, 0, 7)
    assert "assay: ignore[script/warn]" in edit["newText"]


def test_after_an_edit_resolving_answers_content_modified(client):
    client.open(URI, "@fix")
    client.pull(URI)
    actions = client.actions(URI, (0, 0, 0, 0))
    client.change(URI, "@fix ")
    for action in actions[:2]:
        assert client.call("codeAction/resolve", action)["error"]["code"] == -32801
    client.pull(URI)
    assert client.call("codeAction/resolve", actions[0])["error"]["code"] == -32801


def test_an_unanalysed_version_is_waited_for(client):
    client.open(URI, "@fix")
    assert "Replace it" in titles(client.actions(URI, (0, 0, 0, 0)))


def test_a_slow_analysis_is_not_waited_for(client):
    client.open(URI, "@fix @slow")
    assert client.actions(URI, (0, 0, 0, 0)) == []


def test_nothing_stale_is_listed_while_a_newer_version_is_analysed(client):
    client.open(URI, "@fix")
    client.pull(URI)
    client.change(URI, "@fix @slow")
    assert client.actions(URI, (0, 0, 0, 0)) == []


@pytest.mark.parametrize(("only", "expected"), [
    (["quickfix"], 3),
    (["refactor"], 1),
    (["refactor.rewrite"], 1),
    (["source"], 0),
    (["quick"], 0),
    ([""], 4),
    ([], 0),
])  # fmt: skip
def test_only_the_kinds_that_were_asked_for_are_listed(client, only, expected):
    client.open(URI, "@fix@offer")
    client.pull(URI)
    assert len(client.actions(URI, (0, 4, 0, 4), only=only)) == expected


def test_away_from_findings_there_is_nothing(client):
    client.open(URI, "@fix\n\n")
    client.pull(URI)
    assert client.actions(URI, (1, 0, 2, 0)) == []


def test_without_lazy_resolve_the_edits_come_along(start):
    client = start()
    result = client.initialize(capabilities=capabilities(textDocument__codeAction__resolveSupport=None))
    assert "resolveProvider" not in result["capabilities"]["codeActionProvider"]
    client.open(URI, "@fix")
    client.pull(URI)
    fix, suppress, explain = client.actions(URI, (0, 0, 0, 0))
    assert fix["edit"]["documentChanges"][0]["edits"][0]["newText"] == "fixed"
    assert "assay: ignore" in suppress["edit"]["documentChanges"][0]["edits"][0]["newText"]
    assert "edit" not in explain


def test_without_versioned_edits_plain_changes_are_given(start):
    client = start()
    client.initialize(capabilities=capabilities(workspace__workspaceEdit={}))
    client.open(URI, "@fix")
    client.pull(URI)
    resolved = client.request("codeAction/resolve", client.actions(URI, (0, 0, 0, 0))[0])
    assert resolved["edit"] == {"changes": {URI: [{"range": lsp_range(0, 0, 0, 4), "newText": "fixed"}]}}


def test_an_editor_without_action_literals_gets_commands(start):
    client = start()
    client.initialize(capabilities=capabilities(textDocument__codeAction={}))
    client.open(URI, "@fix")
    client.pull(URI)
    assert client.actions(URI, (0, 0, 0, 0)) == [
        {"title": "Explain script/fix", "command": "assay.explain", "arguments": ["script/fix"]}
    ]
