"""``assay bench races``: measure the race analysis on labelled programs."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from assay.analyzers.errors import UsageError
from assay.server.cli.options import positive

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.server.bench.corpus import Case, Pair
    from assay.server.bench.results import Outcome
    from assay.server.bench.scoring import Prediction
    from assay.server.cli.options import Subparsers


def add_parser(subparsers: "Subparsers") -> None:
    """Declare the command."""
    bench = subparsers.add_parser("bench", help="measure an analysis", description="Measure on labelled data.")
    benchmarks = bench.add_subparsers(title="benchmarks", metavar="BENCHMARK", required=True)
    races = benchmarks.add_parser(
        "races",
        help="race warnings against labelled programs",
        description="Check labelled programs for races and score the warnings; docs/benchmarks.md has the format.",
        epilog="An interrupted run goes on where it stopped when it is started again with the same --json.",
    )
    races.add_argument("--data", metavar="FOLDER", type=Path, required=True, help="the labelled programs")
    races.add_argument("--json", metavar="OUT", type=Path, required=True, help="where the result is written")
    races.add_argument("--limit", metavar="N", type=positive, help="only a fixed sample of N cases")
    races.add_argument("--jobs", metavar="N", type=positive, default=1, help="analysis processes (default: 1)")
    races.add_argument("--timeout", metavar="S", type=positive, default=10, help="seconds for one file (default: 10)")
    races.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the benchmark, write the result, and print its table."""
    from assay.server.bench.corpus import read_corpus, sample
    from assay.server.bench.results import as_json, as_text
    from assay.server.reports.output import write_file

    cases = read_corpus(options.data)
    if options.limit is not None:
        cases = sample(cases, options.limit)
    if not cases:
        raise UsageError(f"There is nothing to score in {options.data}. docs/benchmarks.md says what it must hold.")
    result = as_json(_measure(options, cases))
    write_file(options.json, json.dumps(result, indent=1) + "\n", option="--json")
    sys.stdout.write(as_text(result))
    return 0


def _measure(options: argparse.Namespace, cases: "Sequence[Case]") -> "Outcome":
    from assay.features.settings import Settings
    from assay.server.bench.journal import Journal
    from assay.server.bench.races import Runner, predictions_of
    from assay.server.bench.results import METHOD, Outcome
    from assay.server.checking.pool import Pool
    from assay.server.cli.progress import progress

    settings = Settings(timeout=options.timeout)
    journal = Journal(options.json.with_name(options.json.name + ".rows.jsonl"))
    with Pool(options.jobs, debug=options.debug) as pool, journal, progress(sys.stderr) as told:
        runner = Runner(options.data, pool, journal, settings, told)
        rows = runner.run(cases)
    methods = {METHOD: predictions_of(cases, rows), **_baselines(options.data, cases, settings.max_file_size)}
    return Outcome(cases, rows, methods, runner.reused, options.limit, options.jobs)


def _baselines(folder: Path, cases: "Sequence[Case]", limit: int) -> "dict[str, dict[str, Prediction]]":
    from assay.server.bench.baselines import shared_globals, warn_on_nothing

    methods = {"shared globals": shared_globals, "warn on nothing": warn_on_nothing}
    return {name: _predict(folder, cases, limit, method) for name, method in methods.items()}


def _predict(
    folder: Path, cases: "Sequence[Case]", limit: int, method: "Callable[[str], frozenset[Pair]]"
) -> "dict[str, Prediction]":
    """Apply a baseline to every C file that can be read."""
    from assay.analyzers.errors import AssayError
    from assay.server.bench.scoring import Prediction
    from assay.server.sources import read_source

    predictions = {}
    for case in cases:
        if case.language == "c":
            try:
                predictions[case.key] = Prediction(method(read_source(folder / case.path, limit)))
            except AssayError:  # the row of this case says that it could not be read
                continue
    return predictions
