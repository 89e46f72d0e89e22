"""``textDocument/hover`` shows the evidence, of the newest version only."""

import pytest
from lsp_client import capabilities, lsp_range

URI = "file:///hover/a.script"


def hover(client, line, character):
    params = {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}}
    return client.request("textDocument/hover", params)


def test_it_shows_message_evidence_confidence_and_how_to_silence(client):
    client.open(URI, "😀 @warn\n@also\n")
    client.pull(URI)
    shown = hover(client, 0, 4)
    assert shown["range"] == lsp_range(0, 3, 0, 8)
    assert shown["contents"]["kind"] == "markdown"
    text = shown["contents"]["value"]
    assert r"**x\_1 \*is\* wrong**" in text
    assert "[script/warn](https://assay-ls.github.io/rules/script-warn), proved" in text
    assert "because of this" in text
    assert "Step *one*, then two." in text
    assert "```sh\nassay check it\n```" in text
    assert "- line 2: the other place" in text
    assert "assay: ignore[script/warn]" in text


def test_a_message_that_the_editor_shows_itself_is_not_repeated(start):
    client = start()
    client.initialize(capabilities=capabilities(experimental={"assay": {"showsMessages": True}}))
    client.open(URI, "@warn\n@also\n")
    client.pull(URI)
    there, related = (hover(client, line, 2)["contents"]["value"] for line in (0, 1))
    assert there.startswith("Warning [script/warn]")
    assert related.startswith("**")


def test_it_shows_the_finding_at_its_related_places_too(client):
    client.open(URI, "@warn\n@also\n")
    client.pull(URI)
    assert hover(client, 1, 2)["range"] == lsp_range(1, 0, 1, 5)


@pytest.mark.parametrize(("line", "character"), [(0, 9), (1, 0), (5, 5)])
def test_elsewhere_there_is_nothing(client, line, character):
    client.open(URI, "@warn     \n\n")
    client.pull(URI)
    assert hover(client, line, character) is None


def test_two_findings_at_one_place_are_both_shown(client):
    client.open(URI, "@warn@fix")
    client.pull(URI)
    text = hover(client, 0, 5)["contents"]["value"]
    assert "script/warn" in text
    assert "script/fix" in text


def test_a_version_that_was_not_analysed_has_nothing(client):
    client.open(URI, "@warn")
    client.pull(URI)
    client.change(URI, "@warn @slow")
    assert hover(client, 0, 2) is None


def test_an_editor_without_markdown_gets_text(start):
    client = start()
    client.initialize(capabilities=capabilities(textDocument__hover={"contentFormat": ["plaintext"]}))
    client.open(URI, "@warn")
    client.pull(URI)
    contents = hover(client, 0, 2)["contents"]
    assert contents["kind"] == "plaintext"
    assert contents["value"].startswith("x_1 *is* wrong\n")
    assert "```" not in contents["value"]
