"""The JSON report: what docs/json-format.md and report.schema.json describe."""

import json
import math
from typing import Any

from attrs import asdict

from assay.analyzers.findings import Edit, Evidence, Finding, Fix, Related
from assay.features.codec import KINDS
from assay.server.checking.run import CheckedFile, Run
from assay.server.reports.places import counts_of, findings_of, path_of, region, skips_of
from assay.server.version import assay_version

FORMAT_VERSION = 1
"""Raised when a reader of the format would have to change."""


def render(run: Run) -> str:
    """Give the report as one JSON object, ASCII only, with a final line end."""
    return json.dumps(report(run), indent=2, allow_nan=False) + "\n"


def report(run: Run) -> dict[str, Any]:
    """Build the report as JSON values."""
    skipped = [
        {"path": path, "reason": reason, **(region(span) if span else {})} for path, reason, span in skips_of(run)
    ]
    return {
        "version": FORMAT_VERSION,
        "tool": {"name": "assay", "version": assay_version()},
        "findings": [_finding(file, finding) for file, finding in findings_of(run)],
        "skipped": skipped,
        "summary": {**counts_of(run), "seconds": round(run.seconds, 3)},
    }


def _finding(file: CheckedFile, finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "message": finding.message,
        "path": file.shown,
        **region(finding.span),
        "severity": str(finding.severity),
        "confidence": str(finding.confidence),
        "evidence": [evidence_object(evidence) for evidence in finding.evidence],
        "related": [_related(file, related) for related in finding.related],
        "fixes": [_fix(file, fix) for fix in finding.fixes],
        "tags": list(finding.tags),
        "data": finite(dict(finding.data)),
    }


def evidence_object(evidence: Evidence) -> dict[str, Any]:
    """Give a piece of evidence with its kind first."""
    values: dict[str, Any] = finite(asdict(evidence))
    return {"kind": KINDS[type(evidence)], **values}


def _related(file: CheckedFile, related: Related) -> dict[str, Any]:
    return {"message": related.message, "path": path_of(file, related.path), **region(related.span)}


def _fix(file: CheckedFile, fix: Fix) -> dict[str, Any]:
    verification = fix.verification
    return {
        "title": fix.title,
        "preferred": fix.preferred,
        "verification": {
            "method": verification.method,
            "subject": verification.subject,
            "result": str(verification.result),
        },
        "edits": [_edit(file, edit) for edit in fix.edits],
    }


def _edit(file: CheckedFile, edit: Edit) -> dict[str, Any]:
    return {"path": path_of(file, edit.path), **region(edit.span), "new_text": edit.new_text}


def finite(value: Any) -> Any:
    """Replace what JSON cannot say (infinities, not-a-number) by null, and tuples by lists."""
    match value:
        case float() if not math.isfinite(value):
            return None
        case dict():
            return {key: finite(item) for key, item in value.items()}
        case list() | tuple():
            return [finite(item) for item in value]
    return value
