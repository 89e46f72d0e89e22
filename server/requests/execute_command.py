"""``workspace/executeCommand``: explain a rule, or carry out an offer."""

import asyncio
from typing import Any

from lsprotocol import types

from assay.features.links import rule_url
from assay.server import jobs, offers
from assay.server.capabilities import CARRY_OUT, EXPLAIN
from assay.server.documents import OpenDocument
from assay.server.edits import workspace_edit
from assay.server.messages import CONTENT_MODIFIED, INVALID_PARAMS
from assay.server.protocol import ProtocolError
from assay.server.schedule import Priority, Ticket
from assay.server.session import Session


async def handle(session: Session, params: types.ExecuteCommandParams) -> Any:
    """Run one of the advertised commands."""
    argument = next(iter(params.arguments or ()), None)
    match params.command:
        case command if command == EXPLAIN:
            return await _explain(session, argument)
        case command if command == CARRY_OUT:
            return await _carry_out(session, argument)
    raise ProtocolError(INVALID_PARAMS, f"Assay has no command `{params.command}`.")


async def _explain(session: Session, code: Any) -> str:
    """Give a rule's page as Markdown; show it in the browser, or its summary, unless the client shows it itself."""
    rule = session.rules.get(code) if isinstance(code, str) else None
    if rule is None:
        raise ProtocolError(INVALID_PARAMS, f"Assay has no rule {code!r}. Run `assay rules` for a list.")
    if not session.client.shows_pages and not await session.editor.open_page(rule_url(code)):
        session.editor.show(f"{code}: {rule.summary} More: {rule_url(code)}")
    return rule.page


async def _carry_out(session: Session, argument: Any) -> dict[str, Any]:
    uri, version, offer = offers.read(argument)
    document = session.documents.get(uri)
    if document is None or document.version != version:
        raise ProtocolError(CONTENT_MODIFIED, "The document changed since this was offered; ask again.")
    scope = session.preferences.scope(document.path)
    job = jobs.CarryOut(session.schedule.number(), document.snapshot(), scope, offer)
    carried = await _run(session, job)
    if carried is None:
        return {"applied": False, "message": f"{offer.title}: cancelled."}
    applied = await _apply(session, document, offer.title, carried)
    if carried.outcome.message:
        session.editor.show(carried.outcome.message)
    return {"applied": applied, "message": carried.outcome.message}


async def _run(session: Session, job: jobs.CarryOut) -> jobs.CarriedOut | None:
    """Do the work with a bar; None when the person stopped it there."""
    ticket: Ticket | None = None
    stopped = False

    def stop() -> None:
        nonlocal stopped
        stopped = True
        if ticket is not None:
            session.schedule.cancel(ticket)

    async with session.progress.bar(job.offer.title, stop) as bar:
        ticket = session.schedule.submit(job, Priority.INTERACTIVE, bar.report)
        try:
            answer = await ticket.outcome
        except asyncio.CancelledError:
            session.schedule.cancel(ticket)
            if stopped:
                return None
            raise
    return answer if isinstance(answer, jobs.CarriedOut) else None


async def _apply(session: Session, document: OpenDocument, title: str, carried: jobs.CarriedOut) -> bool:
    if not carried.outcome.edits:
        return False
    if session.documents.get(document.uri) is not document:
        raise ProtocolError(CONTENT_MODIFIED, f"{title}: the document changed meanwhile, so nothing was applied.")
    edit = workspace_edit(carried.outcome.edits, document, session.documents, session.client)
    return await session.editor.apply(title, edit)
