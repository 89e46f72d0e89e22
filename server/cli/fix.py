"""``assay fix PATH...``: apply the fixes that were verified, and say what was done."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from assay.analyzers.errors import AssayError, LimitError, UsageError
from assay.server.cli.options import add_analysis_options, add_paths

if TYPE_CHECKING:
    from assay.server.cli.options import Subparsers
    from assay.server.fixing.fixer import Fixed

_CHANGED = "The file changed while it was being fixed, so it was left alone. Run the command again."


def add_parser(subparsers: "Subparsers") -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "fix",
        help="apply fixes to files",
        description="Apply the preferred fix of each finding, where the fix was verified, and check the result again.",
        epilog="Exit status: 0 done, or nothing to do; 1 with --dry-run, if something would change; "
        "2 error (a path that cannot be read or written, a wrong setting).",
    )
    add_paths(parser, "files and folders (default: .)")
    parser.add_argument(
        "--dry-run", "--diff", action="store_true", help="change nothing; print what would change as a unified diff"
    )
    parser.add_argument("--unsafe", action="store_true", help="also apply fixes that were not verified")
    add_analysis_options(parser)
    parser.set_defaults(run=run, stdin_filename=None)


def run(options: argparse.Namespace) -> int:
    """Fix, and say by the status whether everything went well."""
    from assay.server.checking.run import Run
    from assay.server.cli.analysis import checkers, plan
    from assay.server.fixing.fixer import Fixer

    if "-" in options.paths:
        raise UsageError("`assay fix` changes files, and standard input (-) is none. Give the paths of files.")
    planned = plan(options)
    with checkers(options, planned) as checker:
        found = planned.narrowed(Run(checker().check(planned.inputs), planned.passed_over))
        chosen = planned.changed is not None or any(file.baselined for file in found.files)
        fixer = Fixer(lambda inputs: checker().check(inputs), options.unsafe, chosen)
        fixed = fixer.fix(found, planned.inputs)
    report = _Report(options.quiet)
    for skip in found.passed_over:
        report.skip(skip.shown, skip.reason, skip.fatal)
    for file in found.files:
        if file.fatal:
            report.skip(file.shown, file.report.skipped[0].reason, True)
    for one in fixed:
        report.tell(one, options.dry_run)
    report.sum_up(fixer.available(found), options.dry_run)
    return report.status(options.dry_run)


class _Report:
    """Says what happens as it happens, and remembers how it went."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.failed = False
        self.files = self.fixes = 0

    def skip(self, shown: str, reason: str, fatal: bool) -> None:
        """Tell a path that is passed over; one that was asked for by name is an error."""
        if fatal:
            self.failed = True
            self._warn(f"{shown}: {reason}")

    def tell(self, fixed: "Fixed", dry_run: bool) -> None:
        """Write a file, or show what would be written, and tell what could not be done."""
        for problem in fixed.problems:
            self._warn(f"{fixed.shown}: {problem}")
        if fixed.before == fixed.after:
            return
        if dry_run:
            self._show(fixed)
        elif not self._write(fixed):
            return
        self.files += 1
        self.fixes += len(fixed.applied)

    def _show(self, fixed: "Fixed") -> None:
        from assay.server.fixing.diff import unified

        sys.stdout.write(unified(fixed.text_before, fixed.text_after, Path(fixed.shown).as_posix().lstrip("/")))

    def _write(self, fixed: "Fixed") -> bool:
        try:
            write_unless_changed(fixed.path, fixed.before, fixed.after)
        except AssayError as error:
            self.failed = True
            self._warn(f"{fixed.shown}: {error}")
            return False
        from assay.server.reports.cells import clean

        for one in () if self.quiet else fixed.applied:
            sys.stdout.write(clean(f"{fixed.shown}:{one.line}: {one.title} [{one.code}]") + "\n")
        return True

    def sum_up(self, available: int, dry_run: bool) -> None:
        """Tell the numbers; with a dry run beside the diff, which stands alone on standard output."""
        if self.quiet:
            return
        from assay.server.reports.words import counted

        done = "would be applied" if dry_run else "applied"
        where = f"{counted(self.fixes, 'fix')} {done} in {counted(self.files, 'file')}"
        more = f"; {available} more with --unsafe, after a look at the diff" if available else ""
        (sys.stderr if dry_run else sys.stdout).write(f"{where if self.fixes else 'Nothing to fix'}{more}.\n")

    def status(self, dry_run: bool) -> int:
        """Give the exit status."""
        if self.failed:
            return 2
        return 1 if dry_run and self.fixes else 0

    def _warn(self, message: str) -> None:
        from assay.server.reports.cells import clean

        sys.stdout.flush()
        sys.stderr.write(f"assay: {clean(message)}\n")


def write_unless_changed(path: Path, before: bytes, after: bytes) -> None:
    """Replace a file that still holds `before`, all at once; raises `UsageError`, and then it is as it was."""
    from assay.server.reports.output import replace
    from assay.server.sources import read_bytes, reason_of

    target = Path(os.path.realpath(path))
    try:
        same = read_bytes(target, len(before)) == before
    except LimitError:
        same = False
    if not same:
        raise UsageError(_CHANGED)
    try:
        if not target.stat().st_mode & 0o222:
            raise UsageError(
                "The file is read-only, so it was left as it was. Make it writable, and run the command again."
            )
        replace(target, after)
    except OSError as error:
        raise UsageError(f"The fixed file cannot be written ({reason_of(error)}). It was left as it was.") from error
