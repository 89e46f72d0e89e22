"""Turn findings into the JSON of LSP diagnostics, in plain values.

This runs in the analysis process: for a large file it is work that the event loop must not do.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from assay.analyzers.findings import Confidence, Finding, Related, Severity, Span
from assay.features.links import rule_url
from assay.server.positions import Converter, plain_range, split_lines

SOURCE = "assay"
_SEVERITY = {Severity.ERROR: 1, Severity.WARNING: 2, Severity.INFORMATION: 3, Severity.HINT: 4}
_TAGS = {"unnecessary": 1, "deprecated": 2}


@frozen
class Places:
    """Locations for one document's findings; `read` gives other files' text, `uri_of` the URI the client knows."""

    uri: str
    path: Path | None
    here: Converter
    read: Callable[[Path], str | None]
    uri_of: Callable[[Path], str]

    def range(self, span: Span) -> dict[str, Any]:
        """Give the LSP range of a span in the document itself."""
        return self.here.encode_span(span)

    def location(self, related: Related) -> dict[str, Any]:
        """Give the LSP location of a related place."""
        path = None if related.path is None else Path(related.path)
        if path is None or path == self.path:
            return {"uri": self.uri, "range": self.range(related.span)}
        if not path.is_absolute() and self.path is not None:
            path = self.path.parent / path
        return {"uri": self.uri_of(path), "range": self._elsewhere(path, related.span)}

    def _elsewhere(self, path: Path, span: Span) -> dict[str, Any]:
        """Convert in another file; without its text, columns stay code points."""
        text = self.read(path)
        return plain_range(span) if text is None else Converter(split_lines(text), self.here.encoding).encode_span(span)


def severity(finding: Finding) -> int:
    """Give the LSP severity; what is inconclusive is a hint, whatever the rule says."""
    if finding.confidence is Confidence.INCONCLUSIVE:
        return _SEVERITY[Severity.HINT]
    return _SEVERITY[finding.severity]


def diagnostic(finding: Finding, places: Places) -> dict[str, Any]:
    """Give one finding as a diagnostic."""
    item: dict[str, Any] = {
        "range": places.range(finding.span),
        "severity": severity(finding),
        "code": finding.code,
        "codeDescription": {"href": rule_url(finding.code)},
        "source": SOURCE,
        "message": finding.message,
        "data": {"confidence": finding.confidence.value, **finding.data},
    }
    if tags := [_TAGS[tag] for tag in finding.tags if tag in _TAGS]:
        item["tags"] = tags
    if finding.related:
        item["relatedInformation"] = [
            {"location": places.location(related), "message": related.message} for related in finding.related
        ]
    return item


def render(findings: tuple[Finding, ...], places: Places) -> tuple[bytes, str]:
    """Give the JSON array of all diagnostics, and a digest that changes when it does."""
    items = [diagnostic(finding, places) for finding in findings]
    text = json.dumps(items, separators=(",", ":"), default=_plain).encode()
    return text, hashlib.sha256(text).hexdigest()[:16]


def _plain(value: object) -> object:
    """Give JSON for what a feature put into a finding's data without being JSON itself."""
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, (tuple, set, frozenset)) else str(value)
