"""The shared vocabulary: what an analysis establishes, independent of any front end.

Every type is a frozen attrs class.  Positions are 0-based and columns count Unicode code points;
only the server converts them to a client's encoding.  A finding cannot be built without evidence.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from attrs import Factory, field, frozen, validators


class Severity(StrEnum):
    """How loudly a finding is shown."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


class Confidence(StrEnum):
    """How a finding was established: the word the user reads.

    ``inconclusive`` is never shown as a warning.
    """

    PROVED = "proved"
    TESTED = "tested"
    LIKELY = "likely"
    INCONCLUSIVE = "inconclusive"


@frozen(order=True)
class Position:
    """A point between two characters: 0-based line, 0-based column in code points."""

    line: int
    column: int


@frozen(order=True)
class Span:
    """A half-open range of text."""

    start: Position
    end: Position

    @classmethod
    def of(cls, line: int, column: int, end_line: int, end_column: int) -> "Span":
        """Build a span from four 0-based numbers."""
        return cls(Position(line, column), Position(end_line, end_column))

    def contains(self, position: Position) -> bool:
        """Tell whether a cursor at `position` touches this span (its end included)."""
        return self.start <= position <= self.end

    def overlaps(self, other: "Span") -> bool:
        """Tell whether the spans share a position, touching ends included."""
        return self.start <= other.end and other.start <= self.end


@frozen
class Explanation:
    """Evidence by reasoning over the program: each step can be followed by a reader."""

    summary: str
    details: str = ""
    reproduce: str = ""


@frozen
class Counterexample:
    """Evidence by an input on which the program does what a property forbids."""

    summary: str
    input: str
    output: str
    violated: str
    details: str = ""
    reproduce: str = ""


@frozen
class Measurement:
    """Evidence by timing or counting: `value` with its 95% interval, in `unit`."""

    summary: str
    value: float
    unit: str
    interval: tuple[float, float]
    samples: int
    details: str = ""
    reproduce: str = ""


@frozen
class Statistic:
    """Evidence by a statistical test over `samples` observations."""

    summary: str
    statistic: float
    p_value: float
    samples: int
    details: str = ""
    reproduce: str = ""


@frozen
class Vote:
    """Evidence by agreement of independent judges: (judge, verdict) pairs."""

    summary: str
    ballots: tuple[tuple[str, str], ...]
    details: str = ""
    reproduce: str = ""


Evidence = Explanation | Counterexample | Measurement | Statistic | Vote


@frozen
class Edit:
    """Replace the text in `span` by `new_text`; `path` is None for the document of the finding."""

    span: Span
    new_text: str
    path: str | None = None


class VerificationResult(StrEnum):
    """What came of a check."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_RUN = "not run"


@frozen
class Verification:
    """What was run, on what, with what result."""

    method: str
    subject: str
    result: VerificationResult


@frozen
class Fix:
    """A change the user may accept, with the check it went through."""

    title: str
    edits: tuple[Edit, ...]
    verification: Verification
    preferred: bool = False


@frozen
class Related:
    """A second place that belongs to a finding, with its own text."""

    message: str
    span: Span
    path: str | None = None


@frozen
class Finding:
    """One thing worth telling, at `span` of the document it was found in.

    `data` holds JSON values that machines may rely on; its keys are documented with the rule.
    """

    code: str
    message: str
    span: Span
    severity: Severity
    confidence: Confidence
    evidence: tuple[Evidence, ...] = field(validator=validators.min_len(1))
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    tags: tuple[str, ...] = ()
    data: Mapping[str, Any] = Factory(dict)

    @property
    def own_spans(self) -> tuple[Span, ...]:
        """The places in the document it was found in: its own first, then the related ones."""
        return (self.span, *(related.span for related in self.related if related.path is None))


@frozen
class Fact:
    """Something established about a place that is no complaint: shown where a person asks about it.

    `details` are Markdown; `related` are the other places it speaks of, `data` JSON values for machines.  A `headline`
    belongs to a declaration and is shown above it without being asked for.
    """

    span: Span
    summary: str
    details: str = ""
    headline: bool = False
    related: tuple[Related, ...] = ()
    data: Mapping[str, Any] = Factory(dict)


@frozen
class Skipped:
    """Something that could not be read or modelled, and why; `path` is None for the document itself."""

    reason: str
    span: Span | None = None
    path: str | None = None
