"""What an editor can do is read from whatever it sends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsp_client import capabilities

from assay.server.client import Client, problem, read
from assay.server.encoding import Encoding

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from(["general", "window", "workspace", "textDocument", "positionEncodings", "codeAction", "hover"])
odd = st.dictionaries(names, st.dictionaries(names, json_values) | json_values)


@given(
    st.dictionaries(st.sampled_from(["workspaceFolders", "rootUri", "initializationOptions", "trace"]), json_values),
    odd,
)
def test_no_capabilities_make_reading_fail(params, raw):
    assert isinstance(read({**params, "capabilities": raw}), Client)


def test_a_capable_editor_is_read_as_such():
    client = read({"capabilities": capabilities(), "processId": 7})
    assert client.process_id == 7
    abilities = ("pull", "pull_refresh", "configuration", "watch_files", "progress", "apply_edit", "versioned_edits")
    assert all(getattr(client, ability) for ability in (*abilities, "action_literals", "action_resolve"))


def test_an_editor_that_says_nothing_can_do_nothing():
    client = read({"capabilities": {}})
    assert client.encoding is Encoding.UTF16
    assert not any((client.pull, client.configuration, client.progress, client.action_literals, client.apply_edit))


@pytest.mark.parametrize(("params", "folders"), [
    ({"workspaceFolders": [{"uri": "file:///a", "name": "a"}, 7, {"uri": 5}]}, (("file:///a", "a"),)),
    ({"workspaceFolders": None, "rootUri": "file:///a"}, (("file:///a", "file:///a"),)),
    ({"rootUri": None}, ()),
])  # fmt: skip
def test_folders_come_from_the_list_or_the_root(params, folders):
    assert read({"capabilities": {}, **params}).folders == folders


@pytest.mark.parametrize("params", [None, [], {}, {"capabilities": None}, {"capabilities": {}, "processId": True}])
def test_unusable_params_are_explained(params):
    assert problem(params)


def test_usable_params_have_no_problem():
    assert problem({"capabilities": {}, "processId": None}) is None
