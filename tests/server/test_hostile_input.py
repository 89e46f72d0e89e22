"""Nothing that a client sends ends the server, and every request gets the answer that the protocol names."""

import json

import pytest
from lsp_client import Client, capabilities, frame

from assay.server.framing import MAX_BODY

URI = "file:///hostile/a.script"
ID = "the request"


def request(method: str, params: object = None, **parts: object) -> bytes:
    return frame(json.dumps({"jsonrpc": "2.0", "id": ID, "method": method, "params": params, **parts}).encode())


def hover(uri: object = URI, line: object = 0, character: object = 0) -> bytes:
    position = {"line": line, "character": character}
    return request("textDocument/hover", {"textDocument": {"uri": uri}, "position": position})


def code_of(client: Client, request_id: object = ID) -> int | str:
    answer = client.answer(request_id)
    client.seen.remove(answer)
    return answer["error"]["code"] if "error" in answer else "result"


def still_answers(client: Client) -> bool:
    return "result" in client.call(
        "textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
    )


ANSWERED = {
    "unknown method": (request("no/such"), -32601),
    "unknown method without params": (frame(b'{"jsonrpc":"2.0","id":"the request","method":"no/such"}'), -32601),
    "unknown protocol method": (request("$/no/such"), -32601),
    "a known method that the server lacks": (request("textDocument/completion", {}), -32601),
    "a notification sent as a request": (request("textDocument/didOpen", {}), -32601),
    "missing params": (request("textDocument/hover"), -32602),
    "unknown params": (request("textDocument/hover", {"bad": 1}), -32602),
    "params in a list": (request("textDocument/hover", [1]), -32602),
    "params that are text": (request("textDocument/hover", "text"), -32600),
    "a uri of null": (hover(uri=None), -32602),
    "a uri that is a number": (hover(uri=7), -32602),
    "a line that is text": (hover(line="0"), -32602),
    "a line that is a fraction": (hover(line=0.5), -32602),
    "a line that is true": (hover(line=True), -32602),
    "a negative line": (hover(line=-1), -32602),
    "a huge line": (hover(line=10**30), -32602),
    "a position past the end": (hover(line=99999, character=99999), "result"),
    "a document that is not open": (hover(uri=URI + ".nope"), "result"),
    "the wrong version of JSON-RPC": (request("no/such", jsonrpc="1.0"), -32600),
    "a method that is a number": (frame(b'{"jsonrpc":"2.0","id":"the request","method":7}'), -32600),
    "a second initialize": (request("initialize", {"capabilities": {}}), -32600),
    "an unknown command": (request("workspace/executeCommand", {"command": "rm"}), -32602),
    "a foreign code action": (request("codeAction/resolve", {"title": "x", "data": {"uri": 1}}), -32602),
    "a foreign offer": (request("workspace/executeCommand", {"command": "assay.carryOut", "arguments": [7]}), -32602),
    "a rule that does not exist": (
        request("workspace/executeCommand", {"command": "assay.explain", "arguments": ["no/rule"]}),
        -32602,
    ),
    "an extra header": (
        frame(b'{"jsonrpc":"2.0","id":"the request","method":"no/such"}', more=b"Content-Type: a; charset=utf-8\r\n"),
        -32601,
    ),
    "a header in lower case": (
        frame(b'{"jsonrpc":"2.0","id":"the request","method":"no/such"}', header=b"content-length"),
        -32601,
    ),
    "noise before the header": (b"hello world\r\n" + request("no/such"), -32601),
}

WITHOUT_ID = {
    "invalid JSON": (frame(b'{"jsonrpc": "2.0", "id": 1,, }'), -32700),
    "invalid UTF-8": (frame(b'{"jsonrpc":"2.0","method":"x","params":"\xff\xfe"}'), -32700),
    "deep nesting": (frame(b'{"jsonrpc":"2.0","method":"x","params":' + b"[" * 50000 + b"]" * 50000 + b"}"), -32700),
    "a batch": (frame(b"[1, 2, 3]"), -32600),
    "an id of null": (frame(b'{"jsonrpc":"2.0","id":null,"method":"x"}'), -32600),
    "an id that is a list": (frame(b'{"jsonrpc":"2.0","id":[],"method":"x"}'), -32600),
    "a body too large": (frame(b" " * (MAX_BODY + 1)), -32600),
}

IGNORED = {
    "an unknown notification": frame(b'{"jsonrpc":"2.0","method":"no/such"}'),
    "a request's method without an id": frame(b'{"jsonrpc":"2.0","method":"textDocument/hover","params":{}}'),
    "an answer to nothing": frame(b'{"jsonrpc":"2.0","id":77777,"result":null}'),
    "an error to nothing": frame(b'{"jsonrpc":"2.0","id":77777,"error":"what"}'),
    "a cancellation of nothing": frame(b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":5}}'),
    "a cancellation without an id": frame(b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":[[]]}'),
    "bad notification params": frame(b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":1}}'),
    "an edit of nothing": frame(
        json.dumps(
            {
                "jsonrpc": "2.0",
                "method": "textDocument/didChange",
                "params": {"textDocument": {"uri": "file:///x", "version": 2}, "contentChanges": [{"text": "x"}]},
            }
        ).encode()
    ),
    "a close of nothing": frame(
        b'{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":"file:///x"}}}'
    ),
}


def test_every_bad_request_gets_its_error_and_the_server_lives(client):
    client.open(URI, "@warn\n")
    got = {}
    for name, (data, _) in ANSWERED.items():
        client.raw(data)
        got[name] = code_of(client)
        assert still_answers(client), name
    assert got == {name: code for name, (_, code) in ANSWERED.items()}


def test_what_has_no_id_is_answered_under_null_and_the_server_lives(client):
    got = {}
    for name, (data, _) in WITHOUT_ID.items():
        client.raw(data)
        got[name] = code_of(client, None)
        assert still_answers(client), name
    assert got == {name: code for name, (_, code) in WITHOUT_ID.items()}


def test_bad_notifications_are_ignored_without_an_answer_or_a_popup(client):
    client.open(URI, "@warn\n")
    client.pull(URI)
    start = len(client.seen)
    for name, data in IGNORED.items():
        client.raw(data)
        assert still_answers(client), name
    assert [message for message in client.seen[start:] if "error" in message or "method" in message] == []


def test_an_edit_past_the_end_appends(client):
    client.open(URI, "@warn\n")
    client.change(URI, "@warn", (99999, 0, 99999, 9))
    assert [item["range"]["start"] for item in client.pull(URI)["items"]] == [
        {"line": 0, "character": 0},
        {"line": 1, "character": 0},
    ]


def test_requests_before_initialize_are_refused_and_notifications_dropped(start):
    client = start()
    client.notify("textDocument/didOpen", {})
    client.raw(b"noise\r\n" + frame(b"{"))
    assert code_of(client, None) == -32700
    for method in ("textDocument/hover", "shutdown", "no/such"):
        assert client.call(method, {})["error"]["code"] == -32002
    for params in (None, [], {"capabilities": 1}, {"capabilities": {}, "processId": "x"}):
        assert client.call("initialize", params)["error"]["code"] in (-32602, -32600)
    assert client.initialize()["serverInfo"]["name"] == "assay"
    assert client.call("no/such")["error"]["code"] == -32601


@pytest.mark.parametrize("odd", [{"general": 7}, {"textDocument": []}, {"workspace": {"configuration": "yes"}}])
def test_capabilities_of_the_wrong_type_count_as_missing(start, odd):
    result = start().initialize(capabilities={**capabilities(), **odd})
    assert result["capabilities"]["positionEncoding"] == "utf-16"


def test_after_shutdown_requests_are_refused_until_exit(fresh):
    assert fresh.request("shutdown") is None
    assert fresh.call("textDocument/hover", {})["error"]["code"] == -32600
    assert fresh.call("shutdown")["error"]["code"] == -32600
    fresh.notify("exit")
    assert fresh.process.wait(30) == 0


def test_a_request_right_behind_shutdown_is_refused(fresh):
    shutdown = json.dumps({"jsonrpc": "2.0", "id": "end", "method": "shutdown"}).encode()
    fresh.raw(frame(shutdown) + hover())
    assert code_of(fresh, "end") == "result"
    assert code_of(fresh) == -32600


def test_a_request_whose_id_is_in_use_is_refused(client):
    client.open(URI, "@slow")
    for _ in range(2):
        client.raw(request("textDocument/diagnostic", {"textDocument": {"uri": URI}}))
    assert code_of(client) == -32600
    client.notify("$/cancelRequest", {"id": ID})
    assert code_of(client) == -32800
