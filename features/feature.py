"""What a feature is: the one interface that every front end calls.

The language server, the command line, pre-commit and any other front end call the same three methods
and add nothing to a result.  Features are found through the ``assay.features`` entry-point group.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from attrs import Factory, field, frozen

from assay.analyzers.budget import Budget
from assay.analyzers.findings import Edit, Fact, Finding, Severity, Skipped, Span
from assay.features.settings import Settings


@frozen
class Document:
    """An immutable snapshot of a source text.

    `path` is None for a document that was never saved; `version` is the editor's, or None outside an editor.
    """

    uri: str
    language: str
    text: str = field(repr=False)
    path: Path | None = None
    version: int | None = None


def _read_nothing(path: Path) -> str | None:
    return None


def _no_progress(message: str, fraction: float | None) -> None:
    return None


@frozen
class Context:
    """What a feature may use besides the document.

    `read` gives the text of a neighbouring file (the editor's version where it is open) or None;
    `progress` takes a message and a fraction of the work done (None when unknown).
    """

    settings: Settings = Factory(Settings)
    budget: Budget = Factory(Budget)
    read: Callable[[Path], str | None] = _read_nothing
    progress: Callable[[str, float | None], None] = _no_progress
    trusted: bool = False


@frozen
class Rule:
    """A kind of finding that a feature can report; `page` is its documentation in Markdown."""

    code: str
    summary: str
    severity: Severity
    page: Callable[[], str] = field(repr=False, eq=False)


@frozen
class Offer:
    """The title of something a feature could do at a place; cheap to make, carried out on request.

    `kind` is the editor's category ("quickfix", "refactor", "source"); `data` is JSON that the feature
    needs to carry it out.
    """

    feature: str
    title: str
    kind: str
    span: Span
    data: dict[str, str] = Factory(dict)
    preferred: bool = False


@frozen
class Outcome:
    """What carrying out an offer gave: edits to apply, a text to show, or both."""

    edits: tuple[Edit, ...] = ()
    message: str = ""


class Feature(Protocol):
    """One thing a person sees in the editor, and how to compute it."""

    name: str
    languages: frozenset[str]
    rules: tuple[Rule, ...]

    def check(self, document: Document, context: Context) -> Iterable[Finding | Skipped | Fact]:
        """Find what there is to tell: static, fast, called on every change."""

    def offer(self, document: Document, span: Span, context: Context) -> Iterable[Offer]:
        """Name what could be done at `span`: titles only, in less than 5 ms."""

    async def carry_out(self, offer: Offer, document: Document, context: Context) -> Outcome:
        """Do what `offer` names, with progress, cancellation and verification."""
