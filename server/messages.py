"""JSON-RPC messages as types: what a body says, or exactly what is wrong with it.

Reading is strict and total: every body becomes one of four classes, so no later code meets a message with a
missing id or a list where a name should be.  The classes are named tuples because the answer to ``initialize`` needs
them, and does not wait for attrs.
"""

import json
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn, TypeGuard

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
NOT_INITIALIZED = -32002
REQUEST_FAILED = -32803
SERVER_CANCELLED = -32802
CONTENT_MODIFIED = -32801
REQUEST_CANCELLED = -32800

Id = int | str


class Request(NamedTuple):
    """A call that must be answered once, under `id`."""

    id: Id
    method: str
    params: Any = None


class Notification(NamedTuple):
    """A message that must not be answered."""

    method: str
    params: Any = None


class Response(NamedTuple):
    """The client's answer to a request of ours; `error` is None when it succeeded."""

    id: Id
    result: Any = None
    error: Any = None


class Malformed(NamedTuple):
    """A body that is no message, with the error to answer it with; `id` is None when it cannot be known.

    What is `telling` is told to the person as well: it may be a whole document that is lost.
    """

    id: Id | None
    code: int
    reason: str
    telling: bool = False


Message = Request | Notification | Response | Malformed


class RawJson(NamedTuple):
    """A result that is JSON text already: large results are written once, by the process that made them."""

    text: bytes

    @classmethod
    def object(cls, head: dict[str, Any], **raw: bytes) -> "RawJson":
        """Give an object with plain members in `head` and members that are JSON text in `raw`."""
        parts = [json.dumps(key).encode() + b":" + json.dumps(value).encode() for key, value in head.items()]
        parts += [json.dumps(key).encode() + b":" + text for key, text in raw.items()]
        return cls(b"{" + b",".join(parts) + b"}")


def parse(body: bytes) -> Message:
    """Read one body; never raises."""
    try:
        data = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        return Malformed(None, PARSE_ERROR, f"The message is not UTF-8: {error.reason} at byte {error.start}.")
    except RecursionError:
        return Malformed(None, PARSE_ERROR, "The message is nested too deeply to be read.")
    except ValueError as error:
        return Malformed(None, PARSE_ERROR, f"The message is not JSON: {error}.")
    if not isinstance(data, dict):
        return Malformed(None, INVALID_REQUEST, "A message must be a JSON object; batches are not part of LSP.")
    return _message(data)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def is_id(value: Any) -> TypeGuard[Id]:
    """Tell whether a JSON value can be the id of a request."""
    return isinstance(value, (int, str)) and not isinstance(value, bool)


def _message(data: dict[str, Any]) -> Message:
    known_id = data["id"] if is_id(data.get("id")) else None
    if data.get("jsonrpc") != "2.0":
        return Malformed(known_id, INVALID_REQUEST, 'A message must say "jsonrpc": "2.0".')
    if "method" not in data and known_id is not None and ("result" in data or "error" in data):
        return Response(known_id, data.get("result"), data.get("error"))
    return _call(data, known_id)


def _call(data: dict[str, Any], known_id: Id | None) -> Message:
    method, params = data.get("method"), data.get("params")
    if not isinstance(method, str):
        return Malformed(known_id, INVALID_REQUEST, "A message must name its method, or carry the id of a request.")
    if params is not None and not isinstance(params, (dict, list)):
        return Malformed(known_id, INVALID_REQUEST, "The params of a message must be an object or an array.")
    if "id" not in data:
        return Notification(method, params)
    if known_id is None:
        return Malformed(None, INVALID_REQUEST, "The id of a request must be an integer or a string.")
    return Request(known_id, method, params)


def encode(message: dict[str, Any], plain: Callable[[Any], Any] | None = None) -> bytes:
    """Give the bytes on the wire, header included; `plain` turns what is not JSON into what is."""
    return framed(json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":"), default=plain).encode())


def encode_result(request_id: Id, result: Any, plain: Callable[[Any], Any] | None = None) -> bytes:
    """Give the answer to a request; a `RawJson` result is copied as it is."""
    if isinstance(result, RawJson):
        return framed(b'{"jsonrpc":"2.0","id":%s,"result":%s}' % (json.dumps(request_id).encode(), result.text))
    return encode({"id": request_id, "result": result}, plain)


def encode_error(request_id: Id | None, code: int, message: str, data: Any = None) -> bytes:
    """Give the answer to a request that failed."""
    error = {"code": code, "message": message} | ({} if data is None else {"data": data})
    return encode({"id": request_id, "error": error})


def encode_notification(method: str, params: RawJson) -> bytes:
    """Give a notification whose params are JSON text already."""
    return framed(b'{"jsonrpc":"2.0","method":%s,"params":%s}' % (json.dumps(method).encode(), params.text))


def framed(body: bytes) -> bytes:
    """Put the header before a body."""
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
