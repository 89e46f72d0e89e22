"""``textDocument/codeLens``: what is known about declarations, shown above them."""

from lsprotocol import types

from assay.analyzers.findings import Span
from assay.server.edits import to_lsp_range
from assay.server.results import Result
from assay.server.schedule import Priority
from assay.server.session import Session

NO_COMMAND = ""
"""The command of a lens that only tells something; editors show its title as text."""


async def handle(session: Session, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    """Wait for the analysis of the newest version, and give its headlines."""
    done = await session.results.result(params.text_document.uri, Priority.VISIBLE)
    if not isinstance(done, Result):
        return None
    converter = done.document.converter(session.client.encoding)
    return [
        types.CodeLens(to_lsp_range(converter, Span.of(*quad)), types.Command(title, NO_COMMAND))
        for quad, title in done.checked.headlines
    ]
