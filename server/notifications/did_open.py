"""``textDocument/didOpen``: the editor shows a document."""

from lsprotocol import types

from assay.server.session import Session


async def handle(session: Session, params: types.DidOpenTextDocumentParams) -> None:
    """Keep the document, and check it at once."""
    item = params.text_document
    session.results.forget(item.uri)
    document = session.documents.open(item.uri, str(item.language_id), item.version, item.text)
    session.followed(document)
    session.publishing.keep(item.uri)
    session.publishing.file_changed(document.path)
