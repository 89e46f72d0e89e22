"""``assay check PATH...``: find what there is to tell and print it, and nothing else, to standard output."""

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from assay.analyzers.errors import UsageError
from assay.server.cli.options import add_analysis_options, add_paths

if TYPE_CHECKING:
    from assay.server.checking.memory import Memory
    from assay.server.checking.run import Run
    from assay.server.cli.analysis import Plan
    from assay.server.cli.options import Subparsers

FORMATS = ("text", "json", "sarif", "github")


def add_parser(subparsers: "Subparsers") -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "check",
        help="check files and folders",
        description="Check files and folders. Standard output holds only the report.",
        epilog="Exit status: 0 clean, 1 findings, 2 error (a path that cannot be read, a wrong setting).",
    )
    add_paths(parser, "files and folders, or - for standard input (default: .)")
    parser.add_argument("--format", choices=FORMATS, default="text", help="form of the report (default: text)")
    parser.add_argument("--output", metavar="FILE", type=Path, help="write the report to FILE, all of it or nothing")
    parser.add_argument("--diff", action="store_true", help="show what each fix would change")
    parser.add_argument("--watch", action="store_true", help="check again whenever a file changes, until Ctrl-C")
    add_analysis_options(parser)
    parser.add_argument(
        "--write-baseline",
        metavar="FILE",
        nargs="?",
        const=Path(),
        type=Path,
        help="remember all findings in FILE, and report only others from now on (default: assay-baseline.json)",
    )
    parser.add_argument(
        "--stdin-filename", metavar="PATH", type=Path, help="what the text from standard input is called"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check, print the report, and say by the status what was found."""
    if options.diff and options.format != "text":
        raise UsageError(f"--diff shows fixes in text. With --format {options.format} they are in the report anyway.")
    if options.watch:
        from assay.server.cli.watch import watch

        return watch(options, check_once, deliver)
    result = check_once(options)
    deliver(options, result)
    return status_of(result)


def check_once(options: argparse.Namespace, memory: "Memory | None" = None) -> "Run":
    """Check everything that the options name; `memory` knows earlier checks by this process."""
    if options.write_baseline is not None:
        from assay.server.cli.record import record

        return record(options, analyse)
    from assay.server.cli.analysis import plan

    planned = plan(options)
    run = planned.narrowed(analyse(options, planned, memory))
    if memory is not None:
        memory.read.update(planned.comparison.paths())
    return run


def analyse(options: argparse.Namespace, planned: "Plan", memory: "Memory | None" = None) -> "Run":
    """Give everything that is found in the files of a plan."""
    from assay.server.checking.run import Run
    from assay.server.cli.analysis import checkers

    began = time.perf_counter()
    with checkers(options, planned, memory) as checker:
        files = checker().check(planned.inputs)
    return Run(files, planned.passed_over, time.perf_counter() - began)


def status_of(run: "Run") -> int:
    """Give the exit status: 2 for a file that cannot be read or committed as it is, 1 for findings, 0 when clean."""
    if any(skip.fatal for skip in run.passed_over) or any(file.fatal for file in run.files):
        return 2
    return 1 if any(file.report.findings for file in run.files) else 0


def deliver(options: argparse.Namespace, run: "Run") -> None:
    """Print the report, or write it where the options say."""
    from assay.server.reports.output import write_file
    from assay.server.reports.paint import PLAIN_WIDTH, Symbols, plain, write

    if options.format == "text":
        from assay.server.reports.text import Style, lines_of

        if options.output is None:
            write(lines_of(run, Style.of(sys.stdout, options.diff, options.quiet)), sys.stdout)
            return
        text = plain(lines_of(run, Style(PLAIN_WIDTH, Symbols(), options.diff, options.quiet)))
    else:
        text = _rendered(options.format, run)
    if options.output is None:
        sys.stdout.write(text)
    else:
        write_file(options.output, text)


def _rendered(form: str, run: "Run") -> str:
    from assay.server.reports import github, json_report, sarif

    renderers = {"json": json_report.render, "sarif": sarif.render, "github": github.render}
    return renderers[form](run)
