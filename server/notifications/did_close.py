"""``textDocument/didClose``: the editor no longer shows a document."""

from lsprotocol import types

from assay.server.session import Session


async def handle(session: Session, params: types.DidCloseTextDocumentParams) -> None:
    """Forget the document and its findings; others see the file on disk again."""
    document = session.documents.close(params.text_document.uri)
    if document is None:
        return
    session.forget(document.uri)
    session.publishing.clear(document.uri)
    session.publishing.file_changed(document.path)
