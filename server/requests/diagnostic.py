"""``textDocument/diagnostic``: the diagnostics of a document's newest version, when they are known."""

from lsprotocol import types

from assay.server.messages import SERVER_CANCELLED, RawJson
from assay.server.protocol import ProtocolError
from assay.server.results import Result
from assay.server.schedule import Priority
from assay.server.session import Session


async def handle(session: Session, params: types.DocumentDiagnosticParams) -> RawJson:
    """Wait for the analysis; an edit meanwhile moves the wait on to the version after it."""
    done = await session.results.result(params.text_document.uri, Priority.INTERACTIVE)
    if done is None:
        return RawJson.object({"kind": "full"}, items=b"[]")
    if not isinstance(done, Result):
        raise ProtocolError(SERVER_CANCELLED, "The analysis was cancelled by hand.", {"retriggerRequest": False})
    if done.id == params.previous_result_id:
        return RawJson.object({"kind": "unchanged", "resultId": done.id})
    return RawJson.object({"kind": "full", "resultId": done.id}, items=done.checked.diagnostics)
