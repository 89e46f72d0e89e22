"""What the commands' argument parsers share: types of values, and the options of everything that analyses files."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_paths(parser: argparse.ArgumentParser, help_text: str) -> None:
    """Declare the paths to look at: the current folder, unless others are named."""
    parser.add_argument("paths", metavar="PATH", nargs="*", default=["."], help=help_text)


def add_analysis_options(parser: argparse.ArgumentParser) -> None:
    """Declare which files are analysed, how, and which findings count."""
    parser.add_argument("--jobs", metavar="N", type=positive, help="analysis processes (default: one for each CPU)")
    changes = parser.add_mutually_exclusive_group()
    changes.add_argument("--since", metavar="REV", help="only findings on lines changed since a git revision")
    changes.add_argument(
        "--pre-commit",
        action="store_true",
        help="only findings on lines that the commit changes; all of them if the files are not part of a commit",
    )
    parser.add_argument("--select", metavar="CODES", type=codes, help="only these rules, as in 'race/*,assay/*'")
    parser.add_argument("--ignore", metavar="CODES", type=codes, help="not these rules; wins over --select")
    parser.add_argument("--config", metavar="FILE", type=Path, help="use this configuration for every file")
    parser.add_argument(
        "--baseline", metavar="FILE", type=Path, help="leave out the findings in this file, written by --write-baseline"
    )
    parser.add_argument("--no-cache", action="store_true", help="analyse every file anew and remember nothing")
    parser.add_argument("-q", "--quiet", action="store_true", help="print no summary and no advice")


def first_given(options: argparse.Namespace, *names: str) -> str | None:
    """Give the first of some options that is set, as it is written on the command line."""
    return next(("--" + name.replace("_", "-") for name in names if getattr(options, name)), None)


def codes(text: str) -> list[str]:
    """Read a comma-separated list of rule codes or patterns."""
    listed = [part.strip() for part in text.split(",") if part.strip()]
    if not listed:
        raise argparse.ArgumentTypeError("give at least one rule code, such as race/lost-update or 'race/*'")
    return listed


def positive(text: str) -> int:
    """Read a whole number of at least 1."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return number


def address(text: str) -> tuple[str, int]:
    """Read HOST:PORT; an IPv6 host stands in brackets, and port 0 lets the system choose."""
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not HOST:PORT, such as 127.0.0.1:7777")
    return host.strip("[]"), int(port)
