"""The ``assay`` command: starts the language server without loading the command line, or else the command line.

An editor starts ``assay serve`` and waits for its answer, which the parser and the other commands would double.
"""

import sys

_AS_EDITORS_CALL_IT = (["serve"], ["serve", "--stdio"])


def main() -> int:
    """Run ``assay`` and return its exit status."""
    if sys.argv[1:] in _AS_EDITORS_CALL_IT:
        return _serve()
    try:
        from assay.server.cli.main import main as command_line

        return command_line()
    except KeyboardInterrupt:  # while the command line is loading, or already ending
        sys.stderr.write("assay: interrupted\n")
        return 130


def _serve() -> int:
    from assay.analyzers.errors import AssayError
    from assay.server.serve import ServeOptions, serve

    try:
        return serve(ServeOptions())
    except AssayError as error:
        sys.stderr.write(f"assay: {error}\n")
    except Exception as error:  # the last guard: no traceback ever reaches a user
        what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        sys.stderr.write(
            f"assay: this is a bug in Assay ({what}). Run `assay --debug serve` and report what it shows.\n"
        )
    return 2
