"""The result of a race benchmark as JSON, and as the table that a person reads."""

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any

from attrs import frozen

from assay.server.bench.corpus import Case, Suite
from assay.server.bench.journal import Row
from assay.server.bench.scoring import Figure, Prediction, safe_lines_named, score
from assay.server.version import assay_version

FORMAT = 1
METHOD = "assay"


@frozen
class Outcome:
    """Everything that a run established; `methods` are the analysis and the baselines by name."""

    cases: Sequence[Case]
    rows: Sequence[Row]
    methods: Mapping[str, Mapping[str, Prediction]]
    reused: int = 0
    limit: int | None = None
    jobs: int = 1


def as_json(outcome: Outcome) -> dict[str, Any]:
    """Give the whole result as JSON values."""
    cases = outcome.cases
    figures = {name: score(cases, predictions) for name, predictions in outcome.methods.items()}
    return {
        "version": FORMAT,
        "benchmark": "races",
        "tool": {"name": "assay", "version": assay_version()},
        "machine": {
            "cpus": os.cpu_count(),
            "python": platform.python_version(),
            "system": platform.platform(terse=True),
            "jobs": outcome.jobs,
        },
        "cases": len(cases),
        "limit": outcome.limit,
        "reused": outcome.reused,
        "failed": sum(bool(row.failure) for row in outcome.rows),
        "milliseconds": milliseconds(outcome.rows),
        "figures": {name: _figures(scored) for name, scored in figures.items()},
        "safe_lines_named": {name: _safe_lines(cases, predictions) for name, predictions in outcome.methods.items()},
        "predictions": as_predictions(cases, outcome.methods[METHOD]),
        "rows": [_row(case, row) for case, row in zip(cases, outcome.rows, strict=True)],
    }


def milliseconds(rows: Iterable[Row]) -> dict[str, float | int]:
    """Summarise the time of one analysis: median, 95th percentile, maximum, over the files that have a result."""
    times = sorted(row.ms for row in rows if row.ms is not None)
    if not times:
        return {"files": 0}
    p95 = times[min(len(times) - 1, int(0.95 * len(times)))]
    return {"files": len(times), "median": round(median(times), 2), "p95": round(p95, 2), "max": round(times[-1], 2)}


def as_predictions(cases: Iterable[Case], predictions: Mapping[str, Prediction]) -> dict[str, Any]:
    """Give predictions as line pairs by program, and as lines by annotated file."""
    pairs: dict[str, list[list[int]]] = {}
    lines: dict[str, list[int]] = {}
    for case in cases:
        prediction = predictions.get(case.key, Prediction())
        if case.suite in (Suite.PROGRAMS, Suite.REAL):
            pairs[case.key] = [list(pair) for pair in sorted(prediction.pairs)]
        else:
            lines[case.key] = sorted(prediction.lines)
    return {"pairs": pairs, "lines": lines}


def _figures(figures: Mapping[str, Figure]) -> dict[str, Any]:
    return {
        name: {
            "cases": figure.cases,
            **figure.counts._asdict(),
            **figure.values,
            "intervals": {rate: list(interval) for rate, interval in figure.intervals.items()},
        }
        for name, figure in figures.items()
    }


def _safe_lines(cases: Iterable[Case], predictions: Mapping[str, Prediction]) -> dict[str, int]:
    real = [case for case in cases if case.suite is Suite.REAL]
    languages = sorted({case.group for case in real})
    return {name: safe_lines_named([case for case in real if case.group == name], predictions) for name in languages}


def _row(case: Case, row: Row) -> dict[str, Any]:
    labels = [[sorted(label.a), sorted(label.b)] for label in case.labels]
    return {
        "id": case.key,
        "suite": str(case.suite),
        "path": case.path,
        "group": case.group,
        "racy": case.racy,
        "labels": labels,
        "verdicts": [{"line": line, "racy": racy} for line, racy in case.verdicts],
        "pairs": [list(pair) for pair in row.pairs],
        "deadlock": {
            "expected": case.deadlock,
            "labels": sorted(case.deadlock_lines),
            "lines": list(row.deadlock_lines),
        },
        "ms": row.ms,
        "skipped": list(row.skipped),
        "failure": row.failure,
    }


def as_text(result: Mapping[str, Any]) -> str:
    """Write the figures as a table: one line for each figure and each method that reported anything."""
    lines = [f"{'figure':<26} {'method':<16} {'cases':>5} {'precision':>9} {'recall':>7} {'F1':>6}  95% interval"]
    for name in result["figures"][METHOD]:
        for method, figures in result["figures"].items():
            if method == METHOD or figures[name]["tp"] + figures[name]["fp"]:
                lines.append(_line(name, method, figures[name]))
    return "\n".join([*lines, "", *_remarks(result)]) + "\n"


def _line(name: str, method: str, figure: Mapping[str, Any]) -> str:
    low, high = figure["intervals"]["f1"]
    rates = f"{figure['precision']:>9.2f} {figure['recall']:>7.2f} {figure['f1']:>6.2f}  {low:.2f} to {high:.2f}"
    verdicts = (
        f", accuracy {figure['accuracy']:.2f}, safe files warned about {figure['safe_files_warned']:.2f}%"
        if "accuracy" in figure
        else ""
    )
    return f"{name:<26} {method:<16} {figure['cases']:>5} {rates}{verdicts}"


def _remarks(result: Mapping[str, Any]) -> Iterable[str]:
    times = result["milliseconds"]
    if times["files"]:
        yield f"Milliseconds a file: median {times['median']}, 95% {times['p95']}, maximum {times['max']}."
    if result["failed"]:
        yield f"{result['failed']} of {result['cases']} cases have no result; the rows in the JSON say why."
