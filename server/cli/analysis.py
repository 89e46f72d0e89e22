"""What the commands that analyse files share: from options to files, settings, processes, and findings that count."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from assay.analyzers.errors import UsageError
from assay.server.cli.options import first_given

if TYPE_CHECKING:
    from assay.server.baseline import Comparison, Named
    from assay.server.cache import Cache
    from assay.server.checking.changed import ChangedLines
    from assay.server.checking.memory import Memory
    from assay.server.checking.run import Checker, Input, Run
    from assay.server.configuration import Configurations
    from assay.server.discovery import SkippedPath

MAX_STDIN = 100_000_000


@frozen
class Plan:
    """Which files to check, under which configurations, and which of their findings count.

    `to_commit` tells whether the files are about to be committed, so that no conflict may be left in them.
    """

    configurations: "Configurations"
    inputs: "tuple[Input, ...]"
    passed_over: "tuple[SkippedPath, ...]"
    changed: "ChangedLines | None"
    comparison: "Comparison"
    told: Callable[[str], None]
    to_commit: bool = False

    def narrowed(self, run: "Run") -> "Run":
        """Leave out what a baseline knows and what is not on changed lines; tell what a baseline holds in vain."""
        compared = self.comparison.compare(run)
        if compared.stale:
            self.told(_stale(compared.stale))
        return self._committed(self._changed_only(compared.run))

    def _changed_only(self, run: "Run") -> "Run":
        if self.changed is None:
            return run
        from assay.server.checking.changed import only_changed

        return only_changed(run, self.changed)

    def _committed(self, run: "Run") -> "Run":
        if not self.to_commit:
            return run
        from assay.server.checking.conflicts import refuse_conflicts

        return refuse_conflicts(run, self.changed)


def plan(options: argparse.Namespace, use_baseline: bool = True) -> Plan:
    """Find out what the options ask for; raises `AssayError` for whatever is wrong with them, before any work."""
    from assay.server.baseline import Comparison

    made = _configurations(options, use_baseline)
    inputs, passed_over = _inputs(options, made)
    comparison = Comparison(lambda folder: _baseline(made, folder))
    told = _nothing if options.quiet or options.select or options.ignore else warn
    return Plan(made, tuple(inputs), passed_over, _changed(options, inputs), comparison, told, options.pre_commit)


@contextmanager
def checkers(
    options: argparse.Namespace, plan: Plan, memory: "Memory | None" = None
) -> "Iterator[Callable[[], Checker]]":
    """Give a function that makes checkers, which share processes, the cache behind `memory`, and the progress bar."""
    from assay.server.checking.pool import Pool
    from assay.server.checking.run import Checker
    from assay.server.cli.progress import progress

    with ExitStack() as stack:
        pool = stack.enter_context(Pool(_jobs(options.jobs, len(plan.inputs)), debug=options.debug))
        cache = None if options.no_cache else stack.enter_context(_cache())
        told = _silent if options.quiet else stack.enter_context(progress(sys.stderr))
        store = cache if memory is None else memory.before(cache)
        yield lambda: Checker(plan.configurations, pool, store, told)


def warn(message: str) -> None:
    """Tell something beside the report."""
    sys.stderr.write(f"assay: {message}\n")


def _nothing(message: str) -> None:
    return None


def _silent(done: int, total: int) -> None:
    return None


def _configurations(options: argparse.Namespace, use_baseline: bool) -> "Configurations":
    from assay.server.configuration import Configurations, Overrides
    from assay.server.sources import absolute

    raw = {name: getattr(options, name) for name in ("select", "ignore") if getattr(options, name)}
    if options.baseline is not None or not use_baseline:
        raw["baseline"] = str(absolute(options.baseline)) if use_baseline else ""
    made = Configurations(Overrides(raw, "the command line"), options.config)
    made.for_folder(None)  # a mistake on the command line is told before any file is read
    return made


def _baseline(configurations: "Configurations", folder: Path) -> "Named":
    from assay.server.baseline import Named

    configuration = configurations.for_folder(folder)
    return Named(configuration.settings.baseline, configuration.baseline_at)


def _inputs(
    options: argparse.Namespace, configurations: "Configurations"
) -> "tuple[list[Input], tuple[SkippedPath, ...]]":
    from assay.features.registry import languages
    from assay.server.checking.run import Input
    from assay.server.discovery import discover

    if "-" in options.paths:
        return [_standard_input(options)], ()
    if options.stdin_filename is not None:
        raise UsageError("--stdin-filename names the text from standard input. Give - as the path, or leave it out.")
    found = discover(map(Path, options.paths), languages(), configurations)
    return [Input(target) for target in found.targets], found.skipped


def _standard_input(options: argparse.Namespace) -> "Input":
    from assay.features.languages import language_of
    from assay.features.registry import languages
    from assay.server.checking.run import Input
    from assay.server.discovery import Target, shown
    from assay.server.sources import absolute

    if options.paths != ["-"]:
        raise UsageError("Standard input (-) is checked alone. Leave the other paths out.")
    if option := first_given(options, "since", "pre_commit"):
        raise UsageError(f"{option} compares files with git, and standard input is no file. Leave one of them out.")
    name = options.stdin_filename
    if name is None:
        raise UsageError("A file name tells the language of standard input. Give one with --stdin-filename: main.c.")
    language = language_of(name)
    if language is None or language not in languages():
        raise UsageError(
            f"No installed feature checks files called {name}, as --stdin-filename says. "
            f"Languages checked: {', '.join(sorted(languages())) or 'none'}."
        )
    return Input(Target(absolute(name), shown(absolute(name)), language, named=True), sys.stdin.buffer.read(MAX_STDIN))


def _jobs(asked: int | None, files: int) -> int:
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(asked or available, files))


def _cache() -> "Cache":
    from assay.server.cache import Cache, default_folder

    return Cache(default_folder(), warn)


def _changed(options: argparse.Namespace, inputs: "list[Input]") -> "ChangedLines | None":
    """Ask git before the work, so that a wrong revision is told at once."""
    if options.since is None and not options.pre_commit:
        return None
    from assay.server.checking.changed import ChangedLines
    from assay.server.checking.commit import base_of_commit

    paths = [one.target.path for one in inputs]
    if options.pre_commit:
        base = base_of_commit(paths)
        return None if base is None else ChangedLines(base)
    changed = ChangedLines(options.since)
    for folder in dict.fromkeys(path.parent for path in paths) or [Path.cwd()]:
        changed.require(folder)
    return changed


def _stale(stale: "tuple[tuple[Path, object], ...]") -> str:
    from assay.server.reports.words import are, counted

    files = ", ".join(dict.fromkeys(path.name for path, _ in stale))
    found = f"{counted(len(stale), 'entry')} of {files} {are(len(stale))}"
    return f"{found} found no more. Renew the baseline with --write-baseline."
