"""Accounts of shared accesses, as text with excerpts of both sides and as JSON."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from assay.analyzers.findings import Fact, Related
from assay.server.checking.run import CheckedFile, Run
from assay.server.reports.cells import clean
from assay.server.reports.paint import Line
from assay.server.reports.places import Texts, path_of, region, skips_of
from assay.server.reports.text import Style, excerpts, note, told

FORMAT_VERSION = 1
"""Raised when a reader of the format would have to change."""


def lines_of(file: CheckedFile, facts: Sequence[Fact], style: Style) -> Iterator[Line]:
    """Give what is known about each access, with the lines of all sides."""
    texts = Texts()
    for fact in facts:
        start = fact.span.start
        mood = "warning" if fact.data.get("verdict") == "races" else "good"
        place = f"{clean(file.shown)}:{start.line + 1}:{start.column + 1}"
        yield from told([(place, "path"), (": ", "")], clean(fact.summary), mood, style)
        yield from excerpts(file, fact.span, fact.related, texts, style)
        for paragraph in fact.details.split("\n\n"):
            for line in paragraph.splitlines():
                yield from note("why" if line.startswith("- ") else "note", line.removeprefix("- "), style.width)
        yield []
    for path, reason, span in skips_of(Run((file,))):
        where = f"{path}:{span.start.line + 1}" if span else path
        yield from told([(clean(where), "path"), (": not modelled: ", "")], clean(reason), "", style)


def render(file: CheckedFile, facts: Sequence[Fact]) -> str:
    """Give the accounts as one JSON object, ASCII only, with a final line end."""
    return json.dumps(as_json(file, facts), indent=2) + "\n"


def as_json(file: CheckedFile, facts: Sequence[Fact]) -> dict[str, Any]:
    """Build the accounts as JSON values; lines and columns count from 1."""
    return {
        "version": FORMAT_VERSION,
        "path": file.shown,
        "accesses": [
            {
                "summary": fact.summary,
                **region(fact.span),
                **fact.data,
                "related": [_related(file, related) for related in fact.related],
            }
            for fact in facts
        ],
        "skipped": [
            {"path": path, "reason": reason, **(region(span) if span else {})}
            for path, reason, span in skips_of(Run((file,)))
        ],
    }


def _related(file: CheckedFile, related: Related) -> dict[str, Any]:
    return {"message": related.message, "path": path_of(file, related.path), **region(related.span)}
