"""``assay serve``: the language server."""

import argparse
from typing import TYPE_CHECKING

from assay.server.cli.options import address

if TYPE_CHECKING:
    from assay.server.cli.options import Subparsers


def add_parser(subparsers: "Subparsers") -> None:
    """Declare the command."""
    parser = subparsers.add_parser("serve", help="run the language server", description="Run the language server.")
    transport = parser.add_mutually_exclusive_group()
    transport.add_argument("--stdio", action="store_true", help="speak on standard input and output (the default)")
    transport.add_argument("--tcp", metavar="HOST:PORT", type=address, help="serve one client on a TCP port")
    levels = ("error", "warning", "info", "debug")
    parser.add_argument("--log-level", choices=levels, default="warning", help="how much to log (default: warning)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serve until the client is gone."""
    from assay.server.serve import ServeOptions, serve

    return serve(ServeOptions(tcp=options.tcp, log_level=options.log_level, debug=options.debug))
