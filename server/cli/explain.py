"""``assay explain CODE``: the page of a rule."""

import argparse
import sys
from typing import TYPE_CHECKING

from assay.analyzers.errors import UsageError

if TYPE_CHECKING:
    from assay.features.feature import Rule
    from assay.server.cli.options import Subparsers


def add_parser(subparsers: "Subparsers") -> None:
    """Declare the command."""
    parser = subparsers.add_parser("explain", help="show what a rule means", description="Show the page of a rule.")
    parser.add_argument("code", metavar="CODE", help="a rule code, such as race/lost-update")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the page, rendered in colour where that is wanted, and as Markdown elsewhere."""
    from assay.server.reports.paint import is_coloured

    page = _rule(options.code).page()
    if is_coloured(sys.stdout):
        _render(page)
    else:
        sys.stdout.write(page if page.endswith("\n") else page + "\n")
    return 0


def _rule(code: str) -> "Rule":
    from assay.features.nearest import nearest
    from assay.features.registry import rules

    known = {rule.code: rule for rule in rules()}
    if code in known:
        return known[code]
    near = nearest(code, known)
    advice = f"Did you mean {' or '.join(near)}?" if near else "`assay rules` lists them."
    raise UsageError(f"No rule is called {code!r}. {advice}")


def _render(page: str) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(page))
