"""Parse the command line, run one command, and turn whatever happens into an exit status and one clear line.

Commands import what they need when they run: ``assay --version`` costs nothing but this module.
"""

import argparse
import errno
import os
import sys
from collections.abc import Sequence
from typing import NoReturn, TextIO

from assay.analyzers.errors import AssayError
from assay.server.bench import command as bench
from assay.server.cli import check, completion, doctor, explain, fix, races, rules, serve

COMMANDS = (check, fix, explain, races, rules, doctor, serve, completion, bench)
ERROR = 2
INTERRUPTED = 130
ISSUES = "https://github.com/assay-ls/assay/issues"


def main(argv: list[str] | None = None) -> int:
    """Run ``assay`` and return its exit status: 0 clean, 1 findings, 2 error."""
    _replace_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        _tolerant(stream)
    arguments = _spread_debug(sys.argv[1:] if argv is None else argv)
    debug = arguments[:1] == ["--debug"]
    try:
        options = _options(arguments)
        _log(debug)
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        _give_up_output()
        return ERROR
    except KeyboardInterrupt:
        sys.stderr.write("assay: interrupted\n")
        return INTERRUPTED
    except AssayError as error:
        return _fail(str(error), error, debug)
    except OSError as error:
        _give_up_output()
        return _fail(_refused(error), error, debug)
    except Exception as error:  # the last guard: no traceback ever reaches a user
        return _fail(_bug(error), error, debug)


def parser() -> argparse.ArgumentParser:
    """Build the parser with every command."""
    made = _Parser(
        prog="assay",
        description="A language server and checker whose every suggestion carries its evidence.",
        epilog="Exit status: 0 clean, 1 findings, 2 error.",
    )
    made.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    made.add_argument("--debug", action="store_true", help="show tracebacks and the logs of the analysis")
    subparsers = made.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(subparsers)
    return made


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(ERROR, f"{self.prog}: {message}. `{self.prog} --help` says how to call it.\n")


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from assay.server.version import assay_version

        sys.stdout.write(f"assay {assay_version()}\n")
        parser.exit()


def _spread_debug(arguments: Sequence[str]) -> list[str]:
    """Let ``--debug`` stand after the command too."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    if "--debug" not in arguments[:end]:
        return list(arguments)
    return ["--debug", *(a for n, a in enumerate(arguments) if a != "--debug" or n > end)]


def _log(debug: bool) -> None:
    """Keep the logs to those who ask for them: a log may hold a traceback."""
    import logging

    if debug:
        logging.basicConfig(level=logging.DEBUG, format="%(levelname)s %(name)s: %(message)s")
    else:
        logging.getLogger("assay").addHandler(logging.NullHandler())


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    try:
        return parser().parse_args(arguments)
    finally:
        sys.stdout.flush()  # what --help and --version print must fail in here, where failing is understood


def _replace_closed_streams() -> None:
    """Stand in for streams that the caller closed (``assay check >&-``), lest a file take their descriptors."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))


def _tolerant(stream: TextIO) -> None:
    """Spell out characters that the stream's encoding lacks, instead of failing on them."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def _give_up_output() -> None:
    """Drop what is not written yet: its reader has gone (``assay check | head``), or its disk is full.

    Otherwise the interpreter would try again at exit, and complain in its own words.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _fail(message: str, error: Exception, debug: bool) -> int:
    if debug:
        import traceback

        traceback.print_exception(error)
    sys.stderr.write(f"assay: {message}\n")
    return ERROR


def _refused(error: OSError) -> str:
    """Explain an error of the system that no command expects: files are read with care, so most are about output."""
    reason = (error.strerror or str(error)).lower()
    if error.filename is None and error.errno in _ABOUT_OUTPUT:
        return f"Standard output cannot be written ({reason}). Make room where it goes, or send it elsewhere."
    place = "" if error.filename is None else f" for {error.filename}"
    return f"The system refused to go on ({reason}{place}). Give Assay what it lacks, and run it again."


_ABOUT_OUTPUT = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})


def _bug(error: Exception) -> str:
    what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return f"this is a bug in Assay ({what}). Run it again with --debug and report what it shows at {ISSUES}."
