"""``assay check --watch``: check, wait for a change, and check again, until Ctrl-C.

Each round looks at everything, since a new file, a setting or a header may change any result; what did not change comes
from memory.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from assay.analyzers.errors import AssayError, MissingToolError, UsageError

if TYPE_CHECKING:
    from assay.server.checking.memory import Memory
    from assay.server.checking.run import Run

    Check = Callable[[argparse.Namespace, Memory], Run]
    Deliver = Callable[[argparse.Namespace, Run], None]

CLEAR = "\x1b[2J\x1b[3J\x1b[H"


def watch(options: argparse.Namespace, check: "Check", deliver: "Deliver") -> int:
    """Check whenever something changes; give the status of the last check when the user ends it."""
    _require(options)
    from assay.server.checking.changes import Changes
    from assay.server.checking.memory import Memory

    memory = Memory()
    changes = Changes(tuple(map(Path, options.paths)), options.output)
    status = 0
    try:
        for _ in changes.rounds(lambda: memory.read):
            status = _round(options, check, deliver, memory)
    except KeyboardInterrupt:
        sys.stderr.write("\n")
    return status


def _require(options: argparse.Namespace) -> None:
    if options.write_baseline is not None or "-" in options.paths:
        other = "--write-baseline" if options.write_baseline is not None else "standard input (-)"
        raise UsageError(f"--watch checks files again and again, and {other} is for once. Leave one of them out.")
    try:
        import watchfiles  # noqa: F401 - only to see that it is there
    except ImportError as error:
        advice = "Install it with: pip install 'assay-ls[watch]'"
        raise MissingToolError(f"--watch needs the package watchfiles, which is not installed. {advice}") from error


def _round(options: argparse.Namespace, check: "Check", deliver: "Deliver", memory: "Memory") -> int:
    """Check once; a mistake in the settings is told, and its correction waited for."""
    from assay.server.cli.check import status_of
    from assay.server.reports.paint import is_terminal

    try:
        run = check(options, memory)
    except AssayError as error:
        sys.stderr.write(f"assay: {error}\n")
        return 2
    if is_terminal(sys.stdout) and options.output is None:
        sys.stdout.write(CLEAR)
    deliver(options, run)
    sys.stdout.flush()
    if not options.quiet:
        sys.stderr.write("assay: watching for changes; Ctrl-C ends it.\n")
    return status_of(run)
