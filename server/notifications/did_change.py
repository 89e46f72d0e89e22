"""``textDocument/didChange``: a document was edited."""

import logging

from lsprotocol import types

from assay.server.documents import Change
from assay.server.session import Session

_log = logging.getLogger(__name__)
Event = types.TextDocumentContentChangePartial | types.TextDocumentContentChangeWholeDocument


async def handle(session: Session, params: types.DidChangeTextDocumentParams) -> None:
    """Apply the edits in order, and check the document again once they pause."""
    uri, version = params.text_document.uri, params.text_document.version
    document = session.documents.change(uri, version, [_change(event) for event in params.content_changes])
    if document is None:
        _log.warning("ignoring edits of %s, which is not open", uri)
        return
    session.followed(document)
    session.results.touch(uri)
    session.publishing.keep(uri)
    session.publishing.file_changed(document.path)


def _change(event: Event) -> Change:
    if isinstance(event, types.TextDocumentContentChangeWholeDocument):
        return Change(event.text)
    start, end = event.range.start, event.range.end
    return Change(event.text, (start.line, start.character), (end.line, end.character))
