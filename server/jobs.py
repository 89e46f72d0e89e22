"""What the server and an analysis process say to each other.

Both ends are the same program, so messages travel as length-prefixed pickles over pipes.  Findings are pickled one
by one inside a result: the event loop unpacks only those that a person looks at.
"""

import pickle
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import Factory, field, frozen

from assay.analyzers.findings import Fact, Finding, Position, Span
from assay.features.feature import Document, Offer, Outcome
from assay.features.settings import Settings
from assay.server.encoding import Encoding

HEADER = struct.Struct("!Q")
"""The length in bytes of the pickle that follows."""


# From the server.


@frozen
class Scope:
    """Which settings hold for a document: those of the project's files under the editor's raw `overrides`.

    `fallback` holds when either cannot be read: the last settings that could.  `root` is the workspace folder that
    the overrides speak about, None outside of all.
    """

    overrides: Mapping[str, Any]
    fallback: Settings
    root: Path | None = None


@frozen
class Check:
    """Check a document; answered by `Checked` or `Failed`."""

    job: int
    document: Document
    scope: Scope
    encoding: Encoding


@frozen
class FindOffers:
    """Name what could be done at a span; answered by `Offers` or `Failed`."""

    job: int
    document: Document
    scope: Scope
    span: Span


@frozen
class CarryOut:
    """Carry out an offer; answered by `CarriedOut` or `Failed`."""

    job: int
    document: Document
    scope: Scope
    offer: Offer


Job = Check | FindOffers | CarryOut

OFFER_SECONDS = 2.0
CARRY_OUT_SECONDS = 600.0


def seconds(job: Job, settings: Settings) -> float:
    """Give the time that a job may take."""
    match job:
        case Check():
            return settings.timeout
        case FindOffers():
            return OFFER_SECONDS
        case CarryOut():
            return CARRY_OUT_SECONDS


@frozen
class Overlay:
    """The editor's text of a file, which wins over the file's; None when the editor closed it."""

    path: Path
    uri: str
    text: str | None = field(repr=False)


@frozen
class Cancel:
    """Stop a job; it is answered by `Stopped`, or by its result when that came first."""

    job: int


# From the process.


@frozen
class RulePage:
    """A rule's summary and its documentation in Markdown."""

    summary: str
    page: str = field(repr=False)


@frozen
class Hello:
    """The process is ready: the languages and rules of its features."""

    languages: frozenset[str]
    rules: Mapping[str, RulePage]


@frozen
class Began:
    """A job is under way with these settings; `problem` says why they are only the fallback, if they are."""

    job: int
    settings: Settings
    problem: str | None = None


@frozen
class Progress:
    """A job came further; `fraction` is None when unknown."""

    job: int
    message: str
    fraction: float | None


@frozen
class Notice:
    """Something that costs time or comfort and no result; for the editor's log, once."""

    reason: str


Quad = tuple[int, int, int, int]
"""A span as (line, column, end line, end column), 0-based, in code points."""


@frozen
class Located:
    """A finding and the spans of its document that it concerns, the primary one first.

    `fixes` are the (title, preferred) of its fixes.
    """

    code: str
    spans: tuple[Quad, ...]
    fixes: tuple[tuple[str, bool], ...]
    pickled: bytes = field(repr=False)

    def finding(self) -> Finding:
        """Unpack the finding."""
        finding = pickle.loads(self.pickled)
        assert isinstance(finding, Finding)
        return finding

    def touching(self, position: Position) -> Span | None:
        """Give the first span that a cursor touches."""
        return next((span for quad in self.spans if (span := Span.of(*quad)).contains(position)), None)


@frozen
class Noted:
    """Something known about a place that is no finding: its span, and the fact, pickled."""

    quad: Quad
    pickled: bytes = field(repr=False)

    def fact(self) -> Fact:
        """Unpack the fact."""
        fact = pickle.loads(self.pickled)
        assert isinstance(fact, Fact)
        return fact


@frozen
class Checked:
    """The result of `Check`.

    `diagnostics` is the JSON array for the client, `digest` identifies it; `reads` are the neighbouring files that the
    result depends on, whether they exist or not; `facts` answer those who ask about a place, `headlines` are shown
    above declarations; `skipped` are the reasons why it is less than complete.
    """

    job: int
    diagnostics: bytes = field(default=b"[]", repr=False)
    digest: str = ""
    findings: tuple[Located, ...] = ()
    reads: frozenset[Path] = frozenset()
    skipped: tuple[str, ...] = ()
    partial: bool = False
    facts: tuple[Noted, ...] = ()
    headlines: tuple[tuple[Quad, str], ...] = ()


@frozen
class Offers:
    """The result of `FindOffers`."""

    job: int
    offers: tuple[Offer, ...] = ()


@frozen
class CarriedOut:
    """The result of `CarryOut`."""

    job: int
    outcome: Outcome = Factory(Outcome)


@frozen
class Stopped:
    """A job ended without a result because it was cancelled."""

    job: int


@frozen
class Failed:
    """A job ended without a result; `reason` is for the user, `trace` for whoever debugs it."""

    job: int
    reason: str
    trace: str = ""


Result = Checked | Offers | CarriedOut


def nothing(job: Job) -> Result:
    """Give the result of a job for a document in which Assay has no business."""
    match job:
        case Check():
            return Checked(job.job)
        case FindOffers():
            return Offers(job.job)
        case CarryOut():
            return CarriedOut(job.job)


Answer = Result | Stopped | Failed
Event = Hello | Began | Progress | Notice | Answer


def pack(message: object) -> bytes:
    """Give a message as it travels."""
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    return HEADER.pack(len(body)) + body


def unpack(body: bytes) -> object:
    """Read a message that `pack` made, without its header."""
    return pickle.loads(body)
