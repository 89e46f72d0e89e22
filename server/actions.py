"""The code actions of a finding, and the edits they stand for.

An action that is listed carries only where it came from; its edit is computed when it is chosen, against the
same version or not at all.
"""

import asyncio
from collections.abc import Iterator
from types import UnionType
from typing import Any

from attrs import frozen
from lsprotocol import types

from assay.analyzers.findings import Edit, Finding, Span
from assay.server import messages
from assay.server.capabilities import EXPLAIN
from assay.server.edits import workspace_edit
from assay.server.jobs import Located
from assay.server.protocol import ProtocolError
from assay.server.results import Result
from assay.server.session import Session

QUICKFIX = types.CodeActionKind.QuickFix


@frozen
class Origin:
    """Where an action came from: a document version, a finding in its result, and the fix (None: suppress it)."""

    uri: str
    version: int
    digest: str
    finding: int
    fix: int | None

    def to_json(self) -> dict[str, Any]:
        """Give the data of a code action."""
        return {name: getattr(self, name) for name in _KINDS}

    @classmethod
    def of_json(cls, data: Any) -> "Origin":
        """Read the data of a code action; raises `ProtocolError` when it is not ours."""
        if not isinstance(data, dict) or not all(isinstance(data.get(key), kind) for key, kind in _KINDS.items()):
            raise ProtocolError(messages.INVALID_PARAMS, "This code action was not made by Assay; ask for a new list.")
        fix = data.get("fix")  # Neovim leaves out what is null
        return cls(data["uri"], data["version"], data["digest"], data["finding"], fix)


_KINDS: dict[str, type | UnionType] = {"uri": str, "version": int, "digest": str, "finding": int, "fix": int | None}


def actions_at(result: Result, span: Span) -> Iterator[types.CodeAction]:
    """Give the fixes, suppressions and explanations of every finding that touches a span, each once."""
    seen: set[str] = set()
    touched = [
        (index, located)
        for index, located in enumerate(result.checked.findings)
        if any(Span.of(*quad).overlaps(span) for quad in located.spans)
    ]
    for index, located in touched:
        yield from _fixes(result, index, located)
    for index, located in touched:
        yield from _unseen(_suppress(result, index, located, span), seen)
    for code in dict.fromkeys(located.code for _, located in touched):
        yield explain(code)


def _unseen(action: types.CodeAction, seen: set[str]) -> Iterator[types.CodeAction]:
    if action.title not in seen:
        seen.add(action.title)
        yield action


def _origin(result: Result, index: int, fix: int | None) -> dict[str, Any]:
    document = result.document
    return Origin(document.uri, document.version, result.checked.digest, index, fix).to_json()


def _fixes(result: Result, index: int, located: Located) -> Iterator[types.CodeAction]:
    for number, (title, preferred) in enumerate(located.fixes):
        yield types.CodeAction(
            title=title, kind=QUICKFIX, is_preferred=preferred or None, data=_origin(result, index, number)
        )


def _suppress(result: Result, index: int, located: Located, span: Span) -> types.CodeAction:
    line = located.spans[0][0]
    here = span.start.line <= line <= span.end.line
    where = "on this line" if here else f"on line {line + 1}"
    return types.CodeAction(title=f"Suppress {located.code} {where}", kind=QUICKFIX, data=_origin(result, index, None))


def explain(code: str) -> types.CodeAction:
    """Give the action that shows a rule's page."""
    title = f"Explain {code}"
    return types.CodeAction(title=title, kind=QUICKFIX, command=types.Command(title, EXPLAIN, arguments=[code]))


async def edit_of(session: Session, origin: Origin) -> types.WorkspaceEdit:
    """Compute the edit of an action; raises `ProtocolError` (ContentModified) when its version is no more."""
    result = session.results.known(origin.uri)
    current = result is not None and (result.document.version, result.checked.digest) == (origin.version, origin.digest)
    if result is None or not current or not 0 <= origin.finding < len(result.checked.findings):
        raise ProtocolError(messages.CONTENT_MODIFIED, "The document changed since this action was listed.")
    finding = result.checked.findings[origin.finding].finding()
    edits = await _edits(result, finding, origin.fix)
    if session.documents.get(origin.uri) is not result.document:
        raise ProtocolError(messages.CONTENT_MODIFIED, "The document changed while the edit was computed.")
    return workspace_edit(edits, result.document, session.documents, session.client)


async def _edits(result: Result, finding: Finding, fix: int | None) -> tuple[Edit, ...]:
    if fix is None:
        from assay.features.suppressions import suppression_edit  # when the first suppression is wanted

        snapshot = result.document.snapshot()
        return (await asyncio.to_thread(suppression_edit, snapshot, finding),)
    if not 0 <= fix < len(finding.fixes):
        raise ProtocolError(messages.INVALID_PARAMS, "The finding has no such fix; ask for a new list.")
    return finding.fixes[fix].edits
