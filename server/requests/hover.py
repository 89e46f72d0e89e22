"""``textDocument/hover``: the evidence of the findings at a position."""

from lsprotocol import types

from assay.analyzers.findings import Span
from assay.server import rendering
from assay.server.edits import to_lsp_range
from assay.server.results import Result
from assay.server.session import Session


async def handle(session: Session, params: types.HoverParams) -> types.Hover | None:
    """Answer from the result for the newest version, if there is one; nothing is computed."""
    result = session.results.known(params.text_document.uri)
    if result is None:
        return None
    converter = result.document.converter(session.client.encoding)
    position = converter.decode(params.position.line, params.position.character)
    touched = [(located, span) for located in result.checked.findings if (span := located.touching(position))]
    if not touched:
        return None
    findings = [located.finding() for located, _ in touched]
    shown = session.client.shows_messages and touched[0][1] == findings[0].span
    text = rendering.hover(findings, shown)
    return types.Hover(_contents(session, text), _range(session, result, touched[0][1]))


def _contents(session: Session, text: str) -> types.MarkupContent:
    if session.client.markdown_hover:
        return types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.MarkupContent(types.MarkupKind.PlainText, rendering.plain(text))


def _range(session: Session, result: Result, span: Span) -> types.Range:
    return to_lsp_range(result.document.converter(session.client.encoding), span)
