"""``assay races explain FILE:LINE``: why the shared accesses on a line race, or what keeps others away from them."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from assay.analyzers.errors import UsageError

if TYPE_CHECKING:
    from assay.analyzers.findings import Fact
    from assay.server.checking.run import CheckedFile
    from assay.server.cli.options import Subparsers


class Place(NamedTuple):
    """A line of a file, 0-based, and a column of it, or None for the whole line."""

    path: str
    line: int
    column: int | None = None

    def has(self, fact: "Fact") -> bool:
        """Tell whether a fact is about this place."""
        if self.column is None:
            return fact.span.start.line <= self.line <= fact.span.end.line
        from assay.analyzers.findings import Position

        return fact.span.contains(Position(self.line, self.column))

    @property
    def words(self) -> str:
        """Name the place as it was given."""
        return f"line {self.line + 1}" + ("" if self.column is None else f", column {self.column + 1}")


def add_parser(subparsers: "Subparsers") -> None:
    """Declare the command."""
    races = subparsers.add_parser("races", help="ask about races", description="Ask about data races.")
    commands = races.add_subparsers(title="commands", metavar="COMMAND", required=True)
    explain = commands.add_parser(
        "explain",
        help="say why an access does, or does not, race",
        description="Say of every access of shared memory on a line with what it races, or what keeps others away "
        "from it: a common lock, the order of threads, atomic accesses.",
        epilog="Exit status: 0 when there is an access to explain, 1 when there is none, 2 for an error.",
    )
    explain.add_argument("place", metavar="FILE:LINE[:COLUMN]", type=place, help="where, counted from 1")
    explain.add_argument("--format", choices=("text", "json"), default="text", help="default: %(default)s")
    explain.add_argument("--config", metavar="FILE", type=Path, help="use this configuration")
    explain.add_argument("--no-cache", action="store_true", help="analyse the file anew and remember nothing")
    explain.set_defaults(run=run)


def place(text: str) -> Place:
    """Read FILE:LINE or FILE:LINE:COLUMN; the name of the file may itself have colons."""
    head, _, last = text.rpartition(":")
    path, _, middle = head.rpartition(":")
    if path and _is_number(middle) and _is_number(last):
        return Place(path, int(middle) - 1, int(last) - 1)
    if head and _is_number(last):
        return Place(head, int(last) - 1)
    raise argparse.ArgumentTypeError(f"{text!r} is not FILE:LINE or FILE:LINE:COLUMN, such as main.c:12")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and 0 < len(text) < 10 and int(text) > 0


def run(options: argparse.Namespace) -> int:
    """Explain what is on the line; a line without a shared access is told as that."""
    from assay.server.reports import accesses
    from assay.server.reports.paint import write
    from assay.server.reports.text import Style

    file = _checked(options)
    facts = [fact for fact in file.report.facts if not fact.headline and options.place.has(fact)]
    if options.format == "json":
        sys.stdout.write(accesses.render(file, facts))
    else:
        write(accesses.lines_of(file, facts, Style.of(sys.stdout)), sys.stdout)
        if not facts:
            sys.stdout.write(_nothing(file, options.place))
    return 0 if facts else 1


def _nothing(file: "CheckedFile", where: Place) -> str:
    """Say that there is nothing to explain, and where there would be."""
    lines = sorted({fact.span.start.line + 1 for fact in file.report.facts if not fact.headline})
    if not lines:
        advice = "The file has none that the analysis knows: it starts no thread, or its language is not analysed."
    else:
        near = sorted(sorted(lines, key=lambda line: abs(line - where.line - 1))[:5])
        advice = f"The nearest are on line{'s' * (len(near) > 1)} {', '.join(map(str, near))}."
    return f"No access of shared memory is known on {where.words} of {file.shown}. {advice}\n"


def _checked(options: argparse.Namespace) -> "CheckedFile":
    """Check the file as ``assay check`` does, with its cache, processes and limits."""
    from assay.server.cli.analysis import checkers, plan

    if Path(options.place.path).is_dir():
        raise UsageError(f"{options.place.path} is a folder. Give the path of a source file, and a line of it.")
    whole = {"paths": [options.place.path], "stdin_filename": None, "jobs": 1, "since": None, "pre_commit": False}
    silent = {"select": None, "ignore": None, "baseline": None, "quiet": True}
    asked = argparse.Namespace(**{**vars(options), **whole, **silent})
    planned = plan(asked, use_baseline=False)
    with checkers(asked, planned) as checker:
        files = checker().check(planned.inputs)
    if planned.passed_over or len(files) != 1:
        reason = planned.passed_over[0].reason if planned.passed_over else "This is not one file. Give a source file."
        raise UsageError(f"{options.place.path}: {reason}")
    if files[0].fatal or not files[0].analysed:
        reasons = " ".join(skip.reason for skip in files[0].report.skipped)
        raise UsageError(f"{files[0].shown}: {reasons or 'The file could not be analysed.'}")
    return files[0]
