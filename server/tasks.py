"""What an analysis process does for each kind of job."""

import pickle
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from attrs import evolve

from assay.analyzers.errors import AssayError, UsageError
from assay.analyzers.findings import Fact, Finding, Skipped, Span
from assay.features import pipeline, registry
from assay.features.comments import Lines
from assay.features.feature import Context, Document, Feature, Offer
from assay.features.pipeline import Report
from assay.server import jobs
from assay.server.configuration import Configuration
from assay.server.diagnostics import Places, render
from assay.server.neighbours import Neighbours
from assay.server.positions import Converter, split_lines
from assay.server.recall import Recall
from assay.server.sources import absolute, too_large


def run(job: jobs.Job, context: Context, neighbours: Neighbours, recall: Recall, baseline_at: str = "") -> jobs.Result:
    """Do a job; raises `CancelledError` when it was cancelled, and whatever a feature raises.

    `baseline_at` is where the settings name the baseline.
    """
    match job:
        case jobs.Check():
            return _check(job, context, neighbours, recall, baseline_at)
        case jobs.FindOffers():
            return jobs.Offers(job.job, tuple(_offers(job, context)))
        case jobs.CarryOut():
            return _carry_out(job, context)


def is_excluded(path: Path | None, configuration: Configuration) -> bool:
    """Tell whether the settings leave out a file, or a folder above it."""
    if path is None or not configuration.exclusions:
        return False
    from assay.server.ignores import Ignores, Layer, spec_of  # only projects that exclude something pay for it

    ignores = Ignores(tuple(Layer(one.root, spec_of(list(one.patterns))) for one in configuration.exclusions))
    return ignores.ignores(path, folder=False) or any(ignores.ignores(above, folder=True) for above in path.parents)


def _check(job: jobs.Check, context: Context, neighbours: Neighbours, recall: Recall, baseline_at: str) -> jobs.Checked:
    limit = context.settings.max_file_size
    size = len(job.document.text.encode())
    if size > limit:
        return jobs.Checked(job.job, skipped=(too_large(size, limit),), partial=True)
    report = recall.report(job.document, context, neighbours, lambda: pipeline.check(job.document, context))
    report = _without_known(report, job.document, context, baseline_at)
    reads = frozenset(neighbours.texts())
    diagnostics, digest = render(report.findings, _places(job, context, neighbours))
    return jobs.Checked(
        job=job.job,
        diagnostics=diagnostics,
        digest=digest,
        findings=tuple(_located(finding, job.document) for finding in report.findings),
        reads=reads,
        skipped=tuple(_said(skipped) for skipped in report.skipped),
        partial=report.partial,
        facts=tuple(_noted(fact) for fact in report.facts if not fact.headline),
        headlines=tuple((_quad(fact.span), fact.summary) for fact in report.facts if fact.headline),
    )


def _without_known(report: Report, document: Document, context: Context, baseline_at: str) -> Report:
    """Leave out what the baseline holds; one that cannot be used is told, and then everything is shown."""
    if not context.settings.baseline or document.path is None or not report.findings:
        return report
    from assay.server import baseline  # only projects that have one pay for it

    @cache
    def lines(path: str | None) -> Lines:
        return Lines(document.text if path is None else context.read(Path(path)) or "")

    def line_of(path: str | None, number: int) -> str:
        return lines(path).line(number)

    place = absolute(Path(context.settings.baseline))
    try:
        text = context.read(place)
        known = baseline.read(place, baseline_at) if text is None else baseline.parse(place, text)
    except AssayError as error:
        return evolve(report, skipped=(*report.skipped, Skipped(str(error))))
    return evolve(report, findings=baseline.unknown_in(known, document.path, report.findings, line_of))


def _places(job: jobs.Check, context: Context, neighbours: Neighbours) -> Places:
    converter = Converter(split_lines(job.document.text), job.encoding)
    return Places(job.document.uri, job.document.path, converter, context.read, neighbours.uri_of)


def _located(finding: Finding, document: Document) -> jobs.Located:
    here = [related.span for related in finding.related if _is_here(related.path, document)]
    spans = tuple(_quad(span) for span in (finding.span, *here))
    fixes = tuple((fix.title, fix.preferred) for fix in finding.fixes)
    return jobs.Located(finding.code, spans, fixes, pickle.dumps(finding, protocol=pickle.HIGHEST_PROTOCOL))


def _noted(fact: Fact) -> jobs.Noted:
    return jobs.Noted(_quad(fact.span), pickle.dumps(fact, protocol=pickle.HIGHEST_PROTOCOL))


def _is_here(path: str | None, document: Document) -> bool:
    return path is None or Path(path) == document.path


def _quad(span: Span) -> jobs.Quad:
    return (span.start.line, span.start.column, span.end.line, span.end.column)


def _said(skipped: Skipped) -> str:
    where = "" if skipped.span is None else f"line {skipped.span.start.line + 1}: "
    return f"{skipped.path}: {where}{skipped.reason}" if skipped.path else where + skipped.reason


def _offers(job: jobs.FindOffers, context: Context) -> Iterator[Offer]:
    for feature in registry.for_language(job.document.language):
        if pipeline.enabled(feature, context.settings):
            yield from feature.offer(job.document, job.span, context)


def _carry_out(job: jobs.CarryOut, context: Context) -> jobs.CarriedOut:
    import asyncio  # only this kind of job pays for it

    feature = _feature(job.offer)
    return jobs.CarriedOut(job.job, asyncio.run(feature.carry_out(job.offer, job.document, context)))


def _feature(offer: Offer) -> Feature:
    for feature in registry.features():
        if feature.name == offer.feature:
            return feature
    raise UsageError(f"There is no feature `{offer.feature}` any more. Ask for code actions again.")
