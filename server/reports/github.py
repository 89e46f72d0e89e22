"""GitHub annotations: workflow commands that a runner turns into notes on the lines of a pull request.

Source: GitHub Docs, Workflow commands for GitHub Actions.
"""

from assay.analyzers.findings import Finding, Severity
from assay.server.checking.run import CheckedFile, Run
from assay.server.reports.cells import clean
from assay.server.reports.places import findings_of, path_of, region

_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}


def render(run: Run) -> str:
    """Give one command a line: findings, then what was passed over."""
    lines = [_finding(file, finding) for file, finding in findings_of(run)]
    lines += [_skip(skip.shown, skip.reason, skip.fatal) for skip in run.passed_over]
    lines += [
        _skip(path_of(file, skip.path), skip.reason, file.fatal) for file in run.files for skip in file.report.skipped
    ]
    return "".join(line + "\n" for line in lines)


def _finding(file: CheckedFile, finding: Finding) -> str:
    where = region(finding.span)
    properties: dict[str, str | int] = {
        "file": file.shown,
        "line": where["line"],
        "col": where["column"],
        "endLine": where["end_line"],
    }
    if where["line"] == where["end_line"]:  # GitHub refuses an end column of another line
        properties["endColumn"] = where["end_column"]
    properties["title"] = finding.code
    return command(_COMMANDS[finding.severity], properties, _message(file, finding))


def _message(file: CheckedFile, finding: Finding) -> str:
    parts = [finding.message]
    parts += [
        f"{path_of(file, one.path)}:{one.span.start.line + 1}:{one.span.start.column + 1}: {one.message}"
        for one in finding.related
    ]
    parts += [f"Why ({finding.confidence}): {evidence.summary}" for evidence in finding.evidence]
    return "\n".join(parts)


def _skip(path: str, reason: str, fatal: bool) -> str:
    return command("error" if fatal else "notice", {"file": path, "title": "assay: skipped"}, reason)


def command(name: str, properties: dict[str, str | int], message: str) -> str:
    """Write a workflow command, everything escaped as the runner expects."""
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{name} {listed}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape a value; a control character in a file name, which no runner understands, is spelled out."""
    lines = _data(text).replace(":", "%3A").replace(",", "%2C")
    return clean(lines)
