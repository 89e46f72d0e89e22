"""``assay rules``: every rule of the installed features."""

import argparse
import json
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.server.cli.options import Subparsers


def add_parser(subparsers: "Subparsers") -> None:
    """Declare the command."""
    parser = subparsers.add_parser("rules", help="list the rules", description="List every rule there is.")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print (default: text)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the list."""
    sys.stdout.write(_json() if options.format == "json" else _text())
    return 0


def _json() -> str:
    from assay.features.links import rule_url
    from assay.features.registry import rules

    listed = [
        {"code": rule.code, "summary": rule.summary, "severity": str(rule.severity), "url": rule_url(rule.code)}
        for rule in rules()
    ]
    return json.dumps(listed, indent=2) + "\n"


def _text() -> str:
    from assay.features.registry import rules
    from assay.server.reports.paint import is_terminal, width_for, wrapped

    listed = rules()
    codes = max((len(rule.code) for rule in listed), default=0)
    indent = codes + 15
    width = max(30, width_for(sys.stdout) - indent) if is_terminal(sys.stdout) else sys.maxsize  # a line for grep
    gap = "\n" + " " * indent
    lines = [f"{rule.code:<{codes}}  {rule.severity:<11}  {gap.join(wrapped(rule.summary, width))}" for rule in listed]
    return "".join(line + "\n" for line in lines)
