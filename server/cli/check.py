"""``assay check PATH...``: find what there is to tell and print it, and nothing else, to standard output."""

import argparse
import os
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from assay.analyzers.errors import UsageError
from assay.server.cli.options import codes, positive

if TYPE_CHECKING:
    from assay.server.cache import Cache
    from assay.server.checking.run import Input, Run
    from assay.server.cli.options import Subparsers
    from assay.server.configuration import Configurations
    from assay.server.discovery import SkippedPath

FORMATS = ("text", "json", "sarif", "github")


def add_parser(subparsers: "Subparsers") -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "check",
        help="check files and folders",
        description="Check files and folders. Standard output holds only the report.",
        epilog="Exit status: 0 clean, 1 findings, 2 error (a path that cannot be read, a wrong setting).",
    )
    parser.add_argument(
        "paths", metavar="PATH", nargs="*", help="files and folders, or - for standard input (default: .)"
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="form of the report (default: text)")
    parser.add_argument("--output", metavar="FILE", type=Path, help="write the report to FILE, all of it or nothing")
    parser.add_argument("--jobs", metavar="N", type=positive, help="analysis processes (default: one for each CPU)")
    parser.add_argument("--since", metavar="REV", help="only findings on lines changed since a git revision")
    parser.add_argument("--select", metavar="CODES", type=codes, help="only these rules, as in 'race/*,assay/*'")
    parser.add_argument("--ignore", metavar="CODES", type=codes, help="not these rules; wins over --select")
    parser.add_argument("--config", metavar="FILE", type=Path, help="use this configuration for every file")
    parser.add_argument("--no-cache", action="store_true", help="analyse every file anew and remember nothing")
    parser.add_argument(
        "--stdin-filename", metavar="PATH", type=Path, help="what the text from standard input is called"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check, print the report, and say by the status what was found."""
    began = time.perf_counter()
    result = _check(options, began)
    _deliver(options, result)
    return status_of(result)


def status_of(run: "Run") -> int:
    """Give the exit status: 2 when a path asked for by name could not be read, 1 for findings, 0 when clean."""
    if any(skip.fatal for skip in run.passed_over) or any(file.fatal for file in run.files):
        return 2
    return 1 if any(file.report.findings for file in run.files) else 0


def _check(options: argparse.Namespace, began: float) -> "Run":
    from assay.server.checking.pool import Pool
    from assay.server.checking.run import Checker, Run
    from assay.server.cli.progress import progress

    configurations = _configurations(options)
    inputs, passed_over = _inputs(options, configurations)
    with ExitStack() as stack:
        pool = stack.enter_context(Pool(_jobs(options.jobs, len(inputs)), debug=options.debug))
        cache = None if options.no_cache else stack.enter_context(_cache())
        told = stack.enter_context(progress(sys.stderr))
        changed = _since(options, inputs)
        files = Checker(configurations, pool, cache, told).check(inputs)
    return changed(Run(files, passed_over, time.perf_counter() - began))


def _configurations(options: argparse.Namespace) -> "Configurations":
    from assay.server.configuration import Configurations, Overrides

    raw = {name: getattr(options, name) for name in ("select", "ignore") if getattr(options, name)}
    made = Configurations(Overrides(raw, "the command line"), options.config)
    made.for_folder(None)  # a mistake on the command line is told before any file is read
    return made


def _inputs(
    options: argparse.Namespace, configurations: "Configurations"
) -> "tuple[list[Input], tuple[SkippedPath, ...]]":
    from assay.features.registry import languages
    from assay.server.checking.run import Input
    from assay.server.discovery import discover

    paths = options.paths or ["."]
    if "-" in paths:
        return [_standard_input(options)], ()
    if options.stdin_filename is not None:
        raise UsageError("--stdin-filename names the text from standard input. Give - as the path, or leave it out.")
    found = discover(map(Path, paths), languages(), configurations)
    return [Input(target) for target in found.targets], found.skipped


def _standard_input(options: argparse.Namespace) -> "Input":
    from assay.features.languages import language_of
    from assay.features.registry import languages
    from assay.server.checking.run import Input
    from assay.server.discovery import Target, shown
    from assay.server.sources import absolute

    if options.paths != ["-"]:
        raise UsageError("Standard input (-) is checked alone. Leave the other paths out.")
    if options.since is not None:
        raise UsageError("--since compares files with git, and standard input is no file. Leave one of them out.")
    name = options.stdin_filename
    language = None if name is None else language_of(name)
    if name is None or language is None or language not in languages():
        raise UsageError(
            "The language of standard input is told by a file name. Give one with --stdin-filename, such as main.c."
        )
    return Input(Target(absolute(name), shown(absolute(name)), language, named=True), sys.stdin.buffer.read(MAX_STDIN))


MAX_STDIN = 100_000_000


def _jobs(asked: int | None, files: int) -> int:
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(asked or available, files))


def _cache() -> "AbstractContextManager[Cache]":
    from assay.server.cache import Cache, default_folder

    return Cache(default_folder(), _warn)


def _warn(message: str) -> None:
    sys.stderr.write(f"assay: {message}\n")


def _since(options: argparse.Namespace, inputs: "list[Input]") -> "Callable[[Run], Run]":
    """Ask git before the work, so that a wrong revision is told at once."""
    if options.since is None:
        return lambda run: run
    from assay.server.checking.changed import ChangedLines, only_changed

    changed = ChangedLines(options.since)
    for folder in dict.fromkeys(one.target.path.parent for one in inputs) or [Path.cwd()]:
        changed.require(folder)
    return lambda run: only_changed(run, changed)


def _deliver(options: argparse.Namespace, run: "Run") -> None:
    from assay.server.reports.output import write_file
    from assay.server.reports.paint import PLAIN_WIDTH, Symbols, plain, symbols_for, width_for, write

    if options.format == "text":
        from assay.server.reports.text import Style, lines_of

        if options.output is None:
            write(lines_of(run, Style(width_for(sys.stdout), symbols_for(sys.stdout))), sys.stdout)
            return
        text = plain(lines_of(run, Style(PLAIN_WIDTH, Symbols())))
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
