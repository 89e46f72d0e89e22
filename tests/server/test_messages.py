"""Every body becomes a message or a precise complaint."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.server.messages import (
    INVALID_REQUEST,
    PARSE_ERROR,
    Malformed,
    Notification,
    RawJson,
    Request,
    Response,
    encode_result,
    parse,
)


def body(**parts) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **parts}).encode()


def test_a_request_a_notification_and_a_response_are_told_apart():
    assert parse(body(id=1, method="m", params={"a": 1})) == Request(1, "m", {"a": 1})
    assert parse(body(id="x", method="m")) == Request("x", "m", None)
    assert parse(body(method="m", params=[1])) == Notification("m", [1])
    assert parse(body(id=1, result=None)) == Response(1, None, None)
    assert parse(body(id=1, error={"code": 1})) == Response(1, None, {"code": 1})


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b'{"jsonrpc": "2.0", "id": 1,, }',
        b'{"id": NaN}',
        b'{"jsonrpc":"2.0","method":"x","params":"\xff\xfe"}',
        b"[" * 100_000,
        b'{"jsonrpc":"2.0","method":"x","params":' + b"[" * 50_000 + b"]" * 50_000 + b"}",
        b"1" * 10_000,
    ],
)
def test_what_is_no_json_is_a_parse_error(text):
    complaint = parse(text)
    assert isinstance(complaint, Malformed)
    assert (complaint.id, complaint.code) == (None, PARSE_ERROR)


@pytest.mark.parametrize(
    ("text", "known_id"),
    [
        (b"[1, 2]", None),
        (b'"text"', None),
        (b"null", None),
        (b"{}", None),
        (b'{"jsonrpc": "1.0", "id": 4, "method": "m"}', 4),
        (b'{"jsonrpc": "2.0", "id": 4}', 4),
        (b'{"jsonrpc": "2.0", "id": 4, "method": 7}', 4),
        (b'{"jsonrpc": "2.0", "id": 4, "method": "m", "params": "text"}', 4),
        (b'{"jsonrpc": "2.0", "id": null, "method": "m"}', None),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "m"}', None),
        (b'{"jsonrpc": "2.0", "id": true, "method": "m"}', None),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "m"}', None),
        (b'{"jsonrpc": "2.0", "result": 1}', None),
    ],
)
def test_json_that_is_no_message_is_an_invalid_request_under_its_id_where_it_has_one(text, known_id):
    complaint = parse(text)
    assert isinstance(complaint, Malformed)
    assert (complaint.id, complaint.code) == (known_id, INVALID_REQUEST)


@given(st.binary())
def test_parsing_never_raises(data):
    parse(data)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(
    st.fixed_dictionaries({"jsonrpc": st.just("2.0")}, optional=dict.fromkeys(("id", "method", "params"), json_values))
)
def test_any_json_object_becomes_a_message_without_raising(data):
    assert parse(json.dumps(data).encode()) is not None


def test_a_raw_result_is_copied_and_an_ordinary_one_encoded():
    raw = RawJson.object({"kind": "full"}, items=b'[{"a":1}]')
    for encoded in (encode_result("é", raw), encode_result("é", {"kind": "full", "items": [{"a": 1}]})):
        head, text = encoded.split(b"\r\n\r\n")
        assert head == b"Content-Length: %d" % len(text)
        assert json.loads(text) == {"jsonrpc": "2.0", "id": "é", "result": {"kind": "full", "items": [{"a": 1}]}}
