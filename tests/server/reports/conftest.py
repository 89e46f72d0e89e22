"""Runs made by hand, so that every format is tested on findings of every shape."""

from pathlib import Path

import pytest

from assay.analyzers import findings as f
from assay.features.pipeline import Report
from assay.server.checking.run import CheckedFile, Run
from assay.server.discovery import SkippedPath

TEXT = "int hits;\n    hits++;\n  reset();\n"
EVIDENCE = (
    f.Explanation("both run at once", "step one\nstep two", "assay check x.c"),
    f.Counterexample("breaks", "f(1)", "2", "f(x) == x"),
    f.Measurement("slow", float("inf"), "ms", (1.0, 2.0), 5),
    f.Statistic("odd", 1.5, 0.01, 100),
    f.Vote("agreed", (("a", "yes"),)),
)


def finding(code: str = "race/lost-update", span: f.Span | None = None, **changes) -> f.Finding:
    values = {
        "message": "`hits` is updated by two threads at once.",
        "severity": f.Severity.WARNING,
        "confidence": f.Confidence.LIKELY,
        "evidence": EVIDENCE[:1],
        **changes,
    }
    return f.Finding(code=code, span=span or f.Span.of(1, 4, 1, 8), **values)


@pytest.fixture
def make_run(project: Path):
    """Write files and give the run that found `findings` in the first of them."""

    def make(
        *findings: f.Finding, text: str = "int hits;\n    hits++;\n  reset();\n", skipped=(), **others: str
    ) -> Run:
        (project / "x.c").write_text(text, newline="")
        for name, other in others.items():
            (project / name.replace("_", ".")).write_text(other)
        report = Report(tuple(findings), tuple(skipped), suppressed=1)
        return Run((CheckedFile(project / "x.c", "x.c", report),), (), 0.25)

    return make


@pytest.fixture
def rich_run(make_run, project: Path) -> Run:
    """A run with everything in it."""
    edit = f.Edit(f.Span.of(1, 4, 1, 4), "lock();\n")
    elsewhere = f.Edit(f.Span.of(0, 0, 0, 3), "long", str(project / "y.h"))
    verified = f.Verification("re-analysis", "x.c", f.VerificationResult.PASSED)
    full = finding(
        evidence=EVIDENCE,
        related=(
            f.Related("also here", f.Span.of(2, 2, 2, 9)),
            f.Related("declared here", f.Span.of(0, 4, 0, 5), str(project / "y.h")),
        ),
        fixes=(f.Fix("Take the lock", (edit, elsewhere), verified, preferred=True),),
        tags=("unnecessary",),
        data={"pairs": [{"variable": "hits", "lines": (2, 3)}]},
    )
    foreign = finding("other/rule", f.Span.of(0, 0, 0, 3), severity=f.Severity.HINT)
    partial = (f.Skipped("a part is unknown", f.Span.of(0, 0, 0, 3)), f.Skipped("no header", path=str(project / "z.h")))
    run = make_run(full, foreign, skipped=partial, y_h="int y;\n")
    return Run(run.files, (SkippedPath("nope.c", "does not exist", fatal=True), SkippedPath("a b.c", "odd")), 0.25)


@pytest.fixture
def make_finding():
    """Give the function that makes a finding."""
    return finding
