"""The SARIF 2.1.0 report, for code-scanning services and viewers.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0 Plus Errata 01.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes

from assay.analyzers.findings import Finding, Fix, Severity, Span
from assay.features.feature import Rule
from assay.features.links import RULES_URL, rule_url
from assay.features.registry import rules
from assay.server.checking.run import CheckedFile, Run
from assay.server.reports.json_report import evidence_object, finite
from assay.server.reports.names import fingerprint, name_of
from assay.server.reports.places import Texts, findings_of
from assay.server.sources import absolute
from assay.server.version import assay_version

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
BASE = "%SRCROOT%"

_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
}


def render(run: Run) -> str:
    """Give the report as one SARIF log with one run."""
    return json.dumps(log(run), indent=2, allow_nan=False) + "\n"


def log(run: Run) -> dict[str, Any]:
    """Build the log as JSON values."""
    described = rules()
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver(described)},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {BASE: {"uri": absolute(Path()).as_uri().rstrip("/") + "/"}},
                "invocations": [_invocation(run)],
                "results": _results(run, {rule.code: index for index, rule in enumerate(described)}),
            }
        ],
    }


def _driver(described: tuple[Rule, ...]) -> dict[str, Any]:
    return {
        "name": "assay",
        "semanticVersion": assay_version(),
        "informationUri": RULES_URL,
        "rules": [_rule(rule) for rule in described],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    page = rule.page()
    return {
        "id": rule.code,
        "shortDescription": {"text": rule.summary},
        "help": {"text": page, "markdown": page},
        "helpUri": rule_url(rule.code),
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _invocation(run: Run) -> dict[str, Any]:
    passed = [_notification(Path(skip.shown), skip.reason, None, skip.fatal) for skip in run.passed_over]
    inside = [
        _notification(Path(skip.path) if skip.path else file.path, skip.reason, skip.span, file.fatal)
        for file in run.files
        for skip in file.report.skipped
    ]
    failed = any(note["level"] == "error" for note in (*passed, *inside))
    return {"executionSuccessful": not failed, "toolExecutionNotifications": [*passed, *inside]}


def _notification(path: Path, reason: str, span: Span | None, fatal: bool) -> dict[str, Any]:
    return {
        "level": "error" if fatal else "warning",
        "descriptor": {"id": "skipped"},
        "message": {"text": reason},
        "locations": [_location(path, span)],
    }


def _results(run: Run, indices: dict[str, int]) -> list[dict[str, Any]]:
    texts = Texts()
    seen: Counter[str] = Counter()
    results = []
    for file, finding in findings_of(run):
        name = name_of(file.path, finding, texts.line_of(file), Path())
        seen[name] += 1
        results.append(_result(file, finding, indices, fingerprint(name, seen[name])))
    return results


def _result(file: CheckedFile, finding: Finding, indices: dict[str, int], fingerprint: str) -> dict[str, Any]:
    related = [
        {"id": number, **_location(_place(file, one.path), one.span), "message": {"text": one.message}}
        for number, one in enumerate(finding.related, start=1)
    ]
    result: dict[str, Any] = {
        "ruleId": finding.code,
        **({"ruleIndex": indices[finding.code]} if finding.code in indices else {}),
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [_location(file.path, finding.span)],
        "relatedLocations": related,
        "partialFingerprints": {"assay/v1": fingerprint},
        "fixes": [_fix(file, fix) for fix in finding.fixes],
        "properties": _properties(finding),
    }
    if related:
        result["codeFlows"] = [_code_flow(file, finding)]
    return result


def _properties(finding: Finding) -> dict[str, Any]:
    return {
        "confidence": str(finding.confidence),
        "evidence": [evidence_object(evidence) for evidence in finding.evidence],
        "data": finite(dict(finding.data)),
    }


def _code_flow(file: CheckedFile, finding: Finding) -> dict[str, Any]:
    """Give each place of the finding a flow of its own: they may run in any order, which is the point."""
    places = [(file.path, finding.span, finding.message)]
    places += [(_place(file, one.path), one.span, one.message) for one in finding.related]
    flows = [
        {"locations": [{"location": {**_location(path, span), "message": {"text": message}}}]}
        for path, span, message in places
    ]
    return {"threadFlows": flows}


def _fix(file: CheckedFile, fix: Fix) -> dict[str, Any]:
    paths = dict.fromkeys(_place(file, edit.path) for edit in fix.edits)
    changes = [
        {
            "artifactLocation": _artifact(path),
            "replacements": [
                {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.new_text}}
                for edit in fix.edits
                if _place(file, edit.path) == path
            ],
        }
        for path in paths
    ]
    return {"description": {"text": fix.title}, "artifactChanges": changes}


def _place(file: CheckedFile, path: str | None) -> Path:
    return file.path if path is None else Path(path)


def _location(path: Path, span: Span | None) -> dict[str, Any]:
    region = {"region": _region(span)} if span else {}
    return {"physicalLocation": {"artifactLocation": _artifact(path), **region}}


def _artifact(path: Path) -> dict[str, str]:
    here, there = absolute(Path()), absolute(path)
    if there.is_relative_to(here):
        return {"uri": quote_from_bytes(bytes(there.relative_to(here))), "uriBaseId": BASE}
    return {"uri": there.as_uri()}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.start.line + 1,
        "startColumn": span.start.column + 1,
        "endLine": span.end.line + 1,
        "endColumn": span.end.column + 1,
    }
