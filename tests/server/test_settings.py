"""Settings come from the editor and from project files, per folder, and mistakes are told once."""

import pytest
from lsp_client import Client, capabilities

PUSH = {"textDocument__diagnostic": None}


def codes(client: Client, uri: str) -> list[str]:
    return [item["code"] for item in client.pull(uri)["items"]]


def started(start, settings=None, **params) -> Client:
    client = start()
    client.settings = settings if settings is not None else {}
    client.initialize(**params)
    return client


def changed(client: Client) -> None:
    """Tell the server about new settings and wait until it asks to pull again."""
    begin = len(client.seen)
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.note("workspace/diagnostic/refresh", begin)


def test_the_editors_settings_hold_and_can_change(start):
    client = started(start, {"ignore": ["script/warn"]})
    uri = client.open("file:///settings/a.script", "@warn@fix")
    assert codes(client, uri) == ["script/fix"]
    client.settings = {"ignore": []}
    changed(client)
    assert codes(client, uri) == ["script/warn", "script/fix"]


def test_unset_settings_and_those_of_the_plugin_are_no_mistakes(start):
    client = started(
        start, {"ignore": None, "races": {"enabled": None}, "trace": {"server": "off"}, "server": {"path": "x"}}
    )
    uri = client.open("file:///settings/a.script", "@warn")
    assert codes(client, uri) == ["script/warn"]
    assert client.all("window/showMessage") == []


def test_each_workspace_folder_has_its_own_settings(start):
    one, two = "file:///settings/one", "file:///settings/one/two"

    def settings(scope):
        return {one: {"ignore": ["script/warn"]}, two: {"ignore": ["script/fix"]}}.get(scope, {})

    client = started(start, settings, workspaceFolders=[{"uri": one, "name": "one"}, {"uri": two, "name": "two"}])
    texts = {f"{one}/a.script": ["script/fix"], f"{two}/a.script": ["script/warn"]}
    texts |= {"file:///elsewhere/a.script": ["script/warn", "script/fix"], "untitled:x": ["script/warn", "script/fix"]}
    for uri, expected in texts.items():
        assert codes(client, client.open(uri, "@warn@fix")) == expected


def test_folders_can_come_and_go(start):
    folder = {"uri": "file:///settings/late", "name": "late"}
    client = started(start, lambda scope: {"ignore": ["script/warn"]} if scope else {})
    uri = client.open("file:///settings/late/a.script", "@warn")
    assert codes(client, uri) == ["script/warn"]
    for event, expected in (
        ({"added": [folder], "removed": []}, []),
        ({"added": [], "removed": [folder]}, ["script/warn"]),
    ):
        begin = len(client.seen)
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        client.note("workspace/diagnostic/refresh", begin)
        assert codes(client, uri) == expected


@pytest.mark.parametrize("options", [
    {"ignore": ["script/warn"]},
    {"settings": {"ignore": ["script/warn"]}},
    {"settings": {"assay": {"ignore": ["script/warn"]}}},
    {"assay": {"ignore": ["script/warn"]}},
])  # fmt: skip
def test_an_editor_that_cannot_be_asked_gives_settings_at_initialize_and_pushes_changes(start, options):
    client = started(start, capabilities=capabilities(workspace__configuration=False), initializationOptions=options)
    uri = client.open("file:///settings/a.script", "@warn@fix")
    assert codes(client, uri) == ["script/fix"]
    begin = len(client.seen)
    client.notify("workspace/didChangeConfiguration", {"settings": {"assay": {"ignore": ["script/fix"]}}})
    client.note("workspace/diagnostic/refresh", begin)
    assert codes(client, uri) == ["script/warn"]
    assert client.all("workspace/configuration") == []


def test_a_project_file_holds_below_its_folder_and_its_changes_are_followed(start, tmp_path):
    file = tmp_path / "assay.toml"
    file.write_text('ignore = ["script/warn"]\n')
    (tmp_path / "deep").mkdir()
    client = started(start)
    registered = client.note("client/registerCapability")["registrations"]
    assert [item["method"] for item in registered] == [
        "workspace/didChangeConfiguration",
        "workspace/didChangeWatchedFiles",
    ]
    uri = client.open((tmp_path / "deep" / "a.script").as_uri(), "@warn@fix")
    assert codes(client, uri) == ["script/fix"]
    file.write_text('ignore = ["script/fix"]  # changed\n')
    begin = len(client.seen)
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": file.as_uri(), "type": 2}]})
    client.note("workspace/diagnostic/refresh", begin)
    assert codes(client, uri) == ["script/warn"]


def test_a_mistake_in_a_project_file_is_told_once_and_the_last_good_settings_stay(start, tmp_path):
    file = tmp_path / "assay.toml"
    file.write_text('ignore = ["script/warn"]\n')
    client = started(start)
    uri = client.open((tmp_path / "a.script").as_uri(), "@warn@fix")
    assert codes(client, uri) == ["script/fix"]
    file.write_text('ignroe = ["script/fix"]\n')
    for text in ("@warn@fix ", "@warn@fix  "):
        client.change(uri, text)
        assert codes(client, uri) == ["script/fix"]
    [told] = client.all("window/showMessage")
    assert str(file) in told["params"]["message"]
    assert "ignroe" in told["params"]["message"]


def test_a_mistake_in_the_editors_settings_is_told_and_the_last_good_ones_stay(start):
    client = started(start, {"ignore": ["script/warn"]})
    uri = client.open("file:///settings/a.script", "@warn@fix")
    assert codes(client, uri) == ["script/fix"]
    client.settings = {"timeout": "long"}
    changed(client)
    assert codes(client, uri) == ["script/fix"]
    assert "timeout" in client.note("window/showMessage")["message"]


@pytest.mark.parametrize("answer", ["text", 7, [], [1, 2, 3], None])
def test_an_odd_answer_about_settings_counts_as_none(start, answer):
    client = start()
    client.answers["workspace/configuration"] = answer
    client.initialize()
    uri = client.open("file:///settings/a.script", "@warn")
    assert codes(client, uri) == ["script/warn"]


def test_an_editor_that_never_answers_about_settings_is_not_waited_for_long(start):
    client = start()
    client.silent.add("workspace/configuration")
    client.initialize()
    uri = client.open("file:///settings/a.script", "@warn")
    assert codes(client, uri) == ["script/warn"]


def test_files_that_the_settings_exclude_have_no_findings(start, tmp_path):
    (tmp_path / "assay.toml").write_text('exclude = ["generated/", "*.gen.script"]\n')
    client = started(start)
    for name, expected in {"a.script": 1, "a.gen.script": 0, "generated/deep/a.script": 0}.items():
        uri = client.open((tmp_path / name).as_uri(), "@warn")
        assert len(codes(client, uri)) == expected, name
    assert client.actions((tmp_path / "a.gen.script").as_uri(), (0, 0, 0, 1)) == []


def test_the_editors_exclusions_are_relative_to_the_workspace_folder(start, tmp_path):
    folder = {"uri": tmp_path.as_uri(), "name": "x"}
    client = started(start, lambda scope: {"exclude": ["/generated/"]} if scope else {}, workspaceFolders=[folder])
    for name, expected in {"a.script": 1, "generated/a.script": 0, "deep/generated/a.script": 1}.items():
        uri = client.open((tmp_path / name).as_uri(), "@warn")
        assert len(codes(client, uri)) == expected, name
