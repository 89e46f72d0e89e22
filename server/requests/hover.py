"""``textDocument/hover``: the evidence of the findings at a position, and what else is known there."""

from lsprotocol import types

from assay.analyzers.findings import Span
from assay.server import rendering
from assay.server.edits import to_lsp_range
from assay.server.results import Result
from assay.server.session import Session

MAX_FACTS = 4
"""Facts that one hover shows; a line that a macro makes can have many."""


async def handle(session: Session, params: types.HoverParams) -> types.Hover | None:
    """Answer from the result for the newest version, if there is one; nothing is computed."""
    result = session.results.known(params.text_document.uri)
    if result is None:
        return None
    converter = result.document.converter(session.client.encoding)
    position = converter.decode(params.position.line, params.position.character)
    touched = [(located, span) for located in result.checked.findings if (span := located.touching(position))]
    noted = [(one, span) for one in result.checked.facts if (span := Span.of(*one.quad)).contains(position)]
    if not touched and not noted:
        return None
    parts = []
    if touched:
        findings = [located.finding() for located, _ in touched]
        shown = session.client.shows_messages and touched[0][1] == findings[0].span
        parts.append(rendering.hover(findings, shown))
    parts += [rendering.fact(one.fact()) for one, _ in noted[:MAX_FACTS]]
    span = touched[0][1] if touched else noted[0][1]
    return types.Hover(_contents(session, rendering.together(parts)), _range(session, result, span))


def _contents(session: Session, text: str) -> types.MarkupContent:
    if session.client.markdown_hover:
        return types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.MarkupContent(types.MarkupKind.PlainText, rendering.plain(text))


def _range(session: Session, result: Result, span: Span) -> types.Range:
    return to_lsp_range(result.document.converter(session.client.encoding), span)
