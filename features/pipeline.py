"""From a document to its report: the one path that every front end takes."""

from attrs import frozen

from assay.analyzers.errors import CancelledError, DeadlineError
from assay.analyzers.findings import Finding, Skipped
from assay.features.feature import Context, Document
from assay.features.registry import for_language


@frozen
class Report:
    """What checking one document gave; `suppressed` counts the findings that a comment silenced."""

    findings: tuple[Finding, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    suppressed: int = 0


def check(document: Document, context: Context) -> Report:
    """Run every feature for the document's language; raise `CancelledError` when the budget is cancelled."""
    findings: list[Finding] = []
    skipped: list[Skipped] = []
    for feature in for_language(document.language):
        try:
            for result in feature.check(document, context):
                if isinstance(result, Finding):
                    findings.append(result)
                else:
                    skipped.append(result)
        except CancelledError:
            raise
        except DeadlineError as error:
            skipped.append(Skipped(str(error)))
    findings.sort(key=lambda finding: (finding.span, finding.code))
    return Report(tuple(findings), tuple(skipped))
