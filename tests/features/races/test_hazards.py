"""A hazard becomes a finding at its first place, with the others beside it."""

from attrs import frozen

from assay.analyzers.findings import Span
from assay.analyzers.races.ir import Site
from assay.analyzers.races.outcome import Hazard, Step
from assay.features.races.findings import hazard_finding


@frozen
class Plain:
    """A source that is the document itself."""

    lines: tuple[str, ...]
    spawn: str = "`spawn`"

    def text(self, site: Site) -> str:
        return self.lines[site.line][site.column : site.end_column]

    def line(self, site: Site) -> str:
        return str(site.line + 1)

    def span(self, site: Site) -> tuple[str | None, Span]:
        return None, Span.of(*site)

    def inclusion(self, site: Site) -> Span:
        return Span.of(*site)


def test_the_first_step_is_the_place_and_the_others_are_related() -> None:
    source = Plain(("lock a", "lock b"))
    steps = (Step(Site(0, 5, 0, 6), "takes `a`"), Step(Site(1, 5, 1, 6), "waits for `b`"))
    found = hazard_finding(Hazard("lock-order", "It can hang.", "The orders differ.", steps, {"x": 1}), source, "f.c")
    assert (found.code, found.span, found.data) == ("race/lock-order", Span.of(0, 5, 0, 6), {"x": 1})
    assert [(related.message, related.span) for related in found.related] == [("waits for `b`", Span.of(1, 5, 1, 6))]
    (evidence,) = found.evidence
    assert evidence.details.splitlines()[1] == "- line 2: `b`, waits for `b`"
