"""The JSON-RPC side of the server: which message gets which answer.

pygls supplies the requests to the client and the protocol's types; this subclass decides everything about what
comes in.  Every request is answered exactly once, in a task of its own that ``$/cancelRequest`` ends;
notifications are never answered; nothing that a client sends ends the server.
"""

import asyncio
import itertools
import json
import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

from assay.analyzers.errors import AssayError, UsageError
from assay.server import messages
from assay.server.messages import Id, Malformed, Message, Notification, Request, Response
from assay.server.structuring import structure_params

Handler = Callable[[Any], Coroutine[Any, Any, Any]]
_log = logging.getLogger(__name__)


class ProtocolError(AssayError):
    """An answer that is an error of the protocol, such as ``ContentModified``. The client knows what to do."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        """Answer with an error `code`, and `data` where the protocol defines it."""
        super().__init__(message)
        self.code = code
        self.data = data


class Protocol(LanguageServerProtocol):
    """One conversation, from the answer to ``initialize`` on; `handlers` is set before the first message."""

    handlers: Mapping[str, Handler]

    def _register_builtin_features(self) -> None:
        """Leave out pygls' own handlers: each method has one module of ours."""
        self.handlers = {}
        self._answering: dict[Id, asyncio.Task[Any]] = {}
        self._noting: set[asyncio.Task[Any]] = set()

    def receive(self, message: Message) -> None:
        """Take one message from the client."""
        self._trace(message)
        match message:
            case Malformed(request_id, code, reason):
                self._send(messages.encode_error(request_id, code, reason))
            case Request():
                self._request(message)
            case Notification("$/cancelRequest", params):
                self._cancel(params)
            case Notification():
                self._notification(message)
            case Response():
                self._response(message)

    @property
    def was_shut_down(self) -> bool:
        """Tell whether the client asked for the end before leaving; from then on every request is refused."""
        return self._shutdown

    async def abandon(self) -> None:
        """Cancel every handler and wait until all are gone."""
        tasks = [task for task in (*self._answering.values(), *self._noting) if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # Requests.

    def _request(self, request: Request) -> None:
        try:
            task = asyncio.get_running_loop().create_task(self._handler(request)(self._params(request)))
        except ProtocolError as error:
            self._send(messages.encode_error(request.id, error.code, str(error)))
            return
        self._answering[request.id] = task
        self._shutdown = self._shutdown or request.method == types.SHUTDOWN
        task.add_done_callback(lambda done: self._answer(request, done))

    def _handler(self, request: Request) -> Handler:
        method = request.method
        if self._shutdown:
            raise ProtocolError(messages.INVALID_REQUEST, "The server was shut down; only `exit` is left to send.")
        if request.id in self._answering:
            raise ProtocolError(messages.INVALID_REQUEST, f"A request with the id {request.id!r} is being answered.")
        if method == types.INITIALIZE:
            raise ProtocolError(messages.INVALID_REQUEST, "`initialize` may be sent only once.")
        if method not in self.handlers or not _is_request(method):
            raise ProtocolError(messages.METHOD_NOT_FOUND, f"Assay has no method `{method}`.")
        return self.handlers[method]

    def _params(self, request: Request) -> Any:
        try:
            return structure_params(self._converter, request.method, request.params)
        except UsageError as error:
            raise ProtocolError(messages.INVALID_PARAMS, str(error)) from error

    def _answer(self, request: Request, task: "asyncio.Task[Any]") -> None:
        del self._answering[request.id]
        if task.cancelled():
            reason = f"`{request.method}` was cancelled."
            self._send(messages.encode_error(request.id, messages.REQUEST_CANCELLED, reason))
        elif (error := task.exception()) is None:
            self._send(messages.encode_result(request.id, task.result(), self._serialize_message))
        else:
            self._send(self._failure(request, error))

    def _failure(self, request: Request, error: BaseException) -> bytes:
        if isinstance(error, ProtocolError):
            return messages.encode_error(request.id, error.code, str(error), error.data)
        if isinstance(error, AssayError):
            return messages.encode_error(request.id, messages.REQUEST_FAILED, str(error))
        _log.error("`%s` failed because of a bug in Assay: %s", request.method, error)
        _log.debug("the bug in `%s`", request.method, exc_info=error)
        reason = f"`{request.method}` failed because of a bug in Assay ({type(error).__name__}). Please report it."
        return messages.encode_error(request.id, messages.INTERNAL_ERROR, reason)

    def _cancel(self, params: Any) -> None:
        request_id = params.get("id") if isinstance(params, dict) else None
        task = self._answering.get(request_id) if messages.is_id(request_id) else None
        if task is not None:
            task.cancel()

    # Notifications.

    def _notification(self, note: Notification) -> None:
        unknown = note.method not in self.handlers or _is_request(note.method)
        if unknown or (self._shutdown and note.method != types.EXIT):
            _log.debug("ignoring the notification `%s`", note.method)
            return
        try:
            params = structure_params(self._converter, note.method, note.params)
        except UsageError as error:
            _log.warning("%s It is ignored.", error)
            return
        task = asyncio.get_running_loop().create_task(self.handlers[note.method](params))
        self._noting.add(task)
        task.add_done_callback(lambda done: self._noted(note, done))

    def _noted(self, note: Notification, task: "asyncio.Task[Any]") -> None:
        self._noting.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("`%s` failed because of a bug in Assay: %s", note.method, error)
            _log.debug("the bug in `%s`", note.method, exc_info=error)

    # Requests to the client.

    async def ask(self, method: str, params: Any, seconds: float) -> Any:
        """Send a request to the client and await its result.

        Raises `JsonRpcException` when the client refuses, `TimeoutError` when it does not answer, and forgets
        the request in any case: a later answer is ignored.
        """
        number = f"assay-{next(_numbers)}"
        future = self.send_request(method, params, msg_id=number)
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.wrap_future(future)
        finally:
            self._request_futures.pop(number, None)
            self._result_types.pop(number, None)

    def _response(self, response: Response) -> None:
        future = self._request_futures.pop(response.id, None)
        kind = self._result_types.pop(response.id, None)
        if future is None or future.done():
            _log.debug("ignoring the answer to %r, which nobody waits for", response.id)
        elif response.error is not None:
            future.set_exception(_refusal(response.error))
        else:
            self._resolve(future, kind, response)

    def _resolve(self, future: Any, kind: Any, response: Response) -> None:
        data = {"jsonrpc": "2.0", "id": response.id, "result": response.result}
        try:
            future.set_result(self._converter.structure(data, kind).result if kind else response.result)
        except Exception as error:  # whatever the client answered, it is the asker's to deal with
            future.set_exception(JsonRpcException(f"The client's answer is not valid: {error}"))

    # Output.

    def notify_raw(self, method: str, params: messages.RawJson) -> None:
        """Send a notification whose params are JSON text already."""
        self._send(messages.encode_notification(method, params))

    def _send_data(self, data: Any) -> None:
        """Send what pygls makes: its own requests and notifications."""
        self._send(messages.framed(_dumps(data, self._serialize_message)))

    def _send(self, data: bytes) -> None:
        if self.writer is not None:
            self.writer.write(data)

    def _trace(self, message: Message) -> None:
        if self.trace == types.TraceValue.Off or not isinstance(message, (Request, Notification)):
            return
        verbose = _dumps(message.params, None).decode() if self.trace == types.TraceValue.Verbose else None
        text = f"Received {type(message).__name__.lower()} '{message.method}'."
        self.notify(types.LOG_TRACE, types.LogTraceParams(message=text, verbose=verbose))


_numbers = itertools.count(1)


def _is_request(method: str) -> bool:
    return types.METHOD_TO_TYPES[method][1] is not None


def _refusal(error: Any) -> JsonRpcException:
    message = error.get("message") if isinstance(error, dict) else None
    return JsonRpcException(str(message or "The client refused the request."))


def _dumps(data: Any, plain: Callable[[Any], Any] | None) -> bytes:
    return json.dumps(data, separators=(",", ":"), default=plain).encode()
