"""Requests to the client: answered, refused, answered nonsensically, late or not at all."""

import asyncio
import json

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from assay.server.messages import Response
from assay.server.protocol import Protocol
from assay.server.structuring import converter

METHOD, PARAMS = types.WORKSPACE_APPLY_EDIT, types.ApplyWorkspaceEditParams(types.WorkspaceEdit())


class Writer:
    def __init__(self):
        self.sent = []

    def write(self, data):
        self.sent.append(json.loads(data.split(b"\r\n\r\n", 1)[1]))

    def close(self):
        pass


@pytest.fixture
def protocol() -> Protocol:
    made = LanguageServer("test", "1", protocol_cls=Protocol, converter_factory=converter).protocol
    made.set_writer(Writer())
    return made


async def asking(protocol, seconds=30.0):
    """Begin to ask, and give the task and the id of the request."""
    task = asyncio.create_task(protocol.ask(METHOD, PARAMS, seconds))
    await asyncio.sleep(0)
    return task, protocol.writer.sent[-1]["id"]


async def test_an_answer_is_structured(protocol):
    task, number = await asking(protocol)
    protocol.receive(Response(number, {"applied": True}))
    assert (await task).applied is True


@pytest.mark.parametrize("answer", [{"applied": "yes"}, 7, {}, "text"])
async def test_a_nonsensical_answer_is_an_error_of_the_asker(protocol, answer):
    task, number = await asking(protocol)
    protocol.receive(Response(number, answer))
    with pytest.raises(JsonRpcException, match="not valid"):
        await task


@pytest.mark.parametrize("error", [{"code": 1, "message": "no"}, "no", 7, [], {}])
async def test_a_refusal_is_an_error_of_the_asker_in_any_shape(protocol, error):
    task, number = await asking(protocol)
    protocol.receive(Response(number, error=error))
    with pytest.raises(JsonRpcException):
        await task


async def test_an_answer_after_the_time_ran_out_is_ignored_and_nothing_is_kept(protocol):
    task, number = await asking(protocol, 0.01)
    with pytest.raises(TimeoutError):
        await task
    protocol.receive(Response(number, {"applied": True}))
    assert (protocol._request_futures, protocol._result_types) == ({}, {})


async def test_an_answer_after_the_asker_was_cancelled_is_ignored(protocol):
    task, number = await asking(protocol)
    task.cancel()
    await asyncio.wait([task])
    protocol.receive(Response(number, {"applied": True}))
    protocol.receive(Response(number, error={"code": 1}))
    assert task.cancelled()
