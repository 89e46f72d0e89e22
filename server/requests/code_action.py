"""``textDocument/codeAction``: fixes, suppressions, explanations and offers at a range."""

import asyncio
from collections.abc import Iterable

from attrs import evolve
from lsprotocol import types

from assay.analyzers.errors import WorkerError
from assay.analyzers.findings import Span
from assay.server import jobs, offers
from assay.server.actions import Origin, actions_at, edit_of
from assay.server.diagnostics import SOURCE
from assay.server.documents import OpenDocument
from assay.server.messages import CONTENT_MODIFIED
from assay.server.protocol import ProtocolError
from assay.server.results import Result
from assay.server.schedule import Priority
from assay.server.session import Session

PATIENCE = 0.12
"""Seconds to wait for the analysis of the newest version."""

OFFER_PATIENCE = 0.1
"""Seconds to wait for features to name their offers; asked only when a process is free."""

Listed = types.CodeAction | types.Command


async def handle(session: Session, params: types.CodeActionParams) -> list[Listed]:
    """List what can be done, computed for exactly the version that the client shows, or nothing."""
    document = session.documents.get(params.text_document.uri)
    if document is None:
        return []
    span = _span(session, document, params.range)
    actions = await _of_findings(session, document, _widened(session, document, span, params.context.diagnostics))
    actions += await _of_features(session, document, span)
    if session.documents.get(document.uri) is not document:
        raise ProtocolError(CONTENT_MODIFIED, "The document changed while its actions were listed.")
    return await _listed(session, [action for action in actions if _wanted(action, params.context.only)])


def _span(session: Session, document: OpenDocument, wanted: types.Range) -> Span:
    converter = document.converter(session.client.encoding)
    start = converter.decode(wanted.start.line, wanted.start.character)
    end = converter.decode(wanted.end.line, wanted.end.character)
    return Span(min(start, end), max(start, end))


def _widened(session: Session, document: OpenDocument, span: Span, shown: Iterable[types.Diagnostic]) -> Span:
    """Take in the diagnostics that the client asks about: Neovim names those of the line, wherever the cursor is."""
    spans = [span, *(_span(session, document, one.range) for one in shown if one.source == SOURCE)]
    return Span(min(one.start for one in spans), max(one.end for one in spans))


async def _of_findings(session: Session, document: OpenDocument, span: Span) -> list[types.CodeAction]:
    done = session.results.known(document.uri)
    if done is None:
        done = await _soon(session, document)
    return list(actions_at(done, span)) if done is not None and done.document is document else []


async def _soon(session: Session, document: OpenDocument) -> Result | None:
    try:
        async with asyncio.timeout(PATIENCE):
            done = await session.results.result(document.uri, Priority.INTERACTIVE)
    except TimeoutError:
        return None
    return done if isinstance(done, Result) else None


async def _of_features(session: Session, document: OpenDocument, span: Span) -> list[types.CodeAction]:
    if not session.schedule.has_room() or not session.results.supports(document):
        return []
    scope = session.preferences.scope(document.path)
    job = jobs.FindOffers(session.schedule.number(), document.snapshot(), scope, span)
    ticket = session.schedule.submit(job, Priority.INTERACTIVE)
    try:
        async with asyncio.timeout(OFFER_PATIENCE):
            answer = await ticket.outcome
    except (TimeoutError, WorkerError):
        return []
    finally:
        session.schedule.cancel(ticket)
    return [offers.action(offer, document) for offer in answer.offers] if isinstance(answer, jobs.Offers) else []


def _wanted(action: types.CodeAction, only: Iterable[types.CodeActionKind | str] | None) -> bool:
    if only is None:
        return True
    kind = str(getattr(action.kind, "value", action.kind) or "")
    asked = [str(getattr(wanted, "value", wanted)) for wanted in only]
    return any(kind == wanted or kind.startswith(wanted + ".") or not wanted for wanted in asked)


async def _listed(session: Session, actions: list[types.CodeAction]) -> list[Listed]:
    """Fit the list to the client: without lazy resolve edits are computed now, without literals commands remain."""
    if not session.client.action_literals:
        return [action.command for action in actions if action.command is not None]
    if session.client.action_resolve:
        return list(actions)
    return [await _complete(session, action) for action in actions]


async def _complete(session: Session, action: types.CodeAction) -> types.CodeAction:
    if action.data is None:
        return action
    return evolve(action, edit=await edit_of(session, Origin.of_json(action.data)), data=None)
