"""Turn the project's edits into workspace edits that name the version they were computed for."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lsprotocol import types

from assay.analyzers.errors import UsageError
from assay.analyzers.findings import Edit, Span
from assay.server import uris
from assay.server.client import Client
from assay.server.documents import Documents, OpenDocument
from assay.server.encoding import Encoding
from assay.server.positions import Converter, split_lines
from assay.server.sources import read_neighbour

MAX_BYTES = 16_000_000
"""The largest file that is not open in the editor and is still edited."""


def to_lsp_range(converter: Converter, span: Span) -> types.Range:
    """Give a span as a range."""
    start, end = converter.encode(span.start), converter.encode(span.end)
    return types.Range(types.Position(*start), types.Position(*end))


def workspace_edit(
    edits: Iterable[Edit], document: OpenDocument, documents: Documents, client: Client
) -> types.WorkspaceEdit:
    """Give edits of `document`, and of other files that they name, as one edit of the workspace."""
    by_path: dict[Path | None, list[Edit]] = {}
    for edit in edits:
        path = None if edit.path is None or Path(edit.path) == document.path else Path(edit.path)
        by_path.setdefault(path, []).append(edit)
    changes = [_changes(path, group, document, documents) for path, group in by_path.items()]
    if client.versioned_edits:
        return types.WorkspaceEdit(document_changes=changes)
    return types.WorkspaceEdit(changes={change.text_document.uri: _plain(change) for change in changes})


def _plain(change: types.TextDocumentEdit) -> list[types.TextEdit]:
    return [edit for edit in change.edits if isinstance(edit, types.TextEdit)]


def _changes(
    path: Path | None, edits: list[Edit], document: OpenDocument, documents: Documents
) -> types.TextDocumentEdit:
    target = document if path is None else documents.at(path)
    if target is not None and target.left_out:
        raise UsageError(f"{target.name} is too long to be edited from here. Split it, and try again.")
    if target is not None:
        identifier: Any = types.OptionalVersionedTextDocumentIdentifier(uri=target.uri, version=target.version)
        converter = target.converter(documents.encoding)
    else:
        assert path is not None
        identifier = types.OptionalVersionedTextDocumentIdentifier(uri=uris.from_path(path), version=None)
        converter = _on_disk(path, documents.encoding)
    text_edits = [types.TextEdit(to_lsp_range(converter, edit.span), edit.new_text) for edit in edits]
    return types.TextDocumentEdit(identifier, text_edits)


def _on_disk(path: Path, encoding: Encoding) -> Converter:
    return Converter(split_lines(read_neighbour(path, MAX_BYTES) or ""), encoding)
