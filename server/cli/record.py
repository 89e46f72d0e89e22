"""``assay check --write-baseline``: remember what is found, so that only what is new is reported from now on."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from assay.analyzers.errors import UsageError
from assay.server.cli.options import first_given

if TYPE_CHECKING:
    from assay.server.baseline import Baseline
    from assay.server.checking.run import Run
    from assay.server.cli.analysis import Plan


def record(options: argparse.Namespace, analyse: "Callable[[argparse.Namespace, Plan], Run]") -> "Run":
    """Check, write the baseline, and give the run as it looks beside the new baseline."""
    from assay.server import baseline
    from assay.server.cli.analysis import plan, warn
    from assay.server.reports.words import are, counted

    _refuse_parts(options)
    known = _known(options)
    run = analyse(options, plan(options, use_baseline=False))
    entries = baseline.renewed(known, run)
    baseline.write(known.path, entries)
    if not options.quiet:
        count = sum(entry.count for entry in entries)
        warn(f"{known.path} now holds {counted(count, 'finding')}, which {are(count)} not reported any more.")
        if not _is_used(known.path):
            warn(f"Use it with --baseline {known.path.name}, or set `baseline` in the configuration.")
    return baseline.Comparison(lambda folder: baseline.Named(str(known.path))).compare(run).run


def _refuse_parts(options: argparse.Namespace) -> None:
    """A baseline of some findings would call all others new."""
    if option := first_given(options, "since", "pre_commit", "select", "ignore", "baseline"):
        raise UsageError(f"--write-baseline remembers all findings, and {option} chooses some. Leave one of them out.")


def _known(options: argparse.Namespace) -> "Baseline":
    """Give what the file to be written holds now; raises `UsageError` when that is something else than a baseline."""
    from assay.server import baseline
    from assay.server.sources import absolute

    path = absolute(options.write_baseline if options.write_baseline != Path() else _configured() or _default())
    if not path.exists():
        if path.suffix != ".json":
            raise UsageError(f"{path}: a baseline ends in .json. {_ORDER}")
        return baseline.Baseline(path)
    if path.is_dir():
        raise UsageError(f"{path}: this is a folder, not a baseline. {_ORDER}")
    try:
        return baseline.read(path)
    except UsageError as error:
        raise UsageError(f"{path}: this file is there and is no baseline, so it is left alone. {_ORDER}") from error


_ORDER = "Write the paths to check before --write-baseline; remove the file first if it was a baseline."


def _default() -> Path:
    from assay.server.baseline import DEFAULT

    return Path(DEFAULT)


def _configured() -> Path | None:
    from assay.server.configuration import settings_for
    from assay.server.sources import absolute

    named = settings_for(absolute(Path("file"))).baseline
    return Path(named) if named else None


def _is_used(path: Path) -> bool:
    return _configured() == path
