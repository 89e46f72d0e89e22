"""``assay completion SHELL``: print a script that completes commands, options and their values in a shell."""

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.server.cli.options import Subparsers

SHELLS = ("bash", "zsh", "fish")
_EPILOG = (
    'bash: add `eval "$(assay completion bash)"` to ~/.bashrc. zsh: the same in ~/.zshrc, after compinit. '
    "fish: `assay completion fish > ~/.config/fish/completions/assay.fish`."
)


def add_parser(subparsers: "Subparsers") -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "completion",
        help="print the completion script of a shell",
        description="Print a script that completes commands, options and rule codes in a shell.",
        epilog=_EPILOG.replace("%", "%%"),
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell to print it for")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the script."""
    from assay.features.registry import rules
    from assay.server.cli import shells
    from assay.server.cli.main import parser
    from assay.server.cli.reference import commands, global_options

    write = {"bash": shells.bash, "zsh": shells.zsh, "fish": shells.fish}[options.shell]
    made = parser()
    sys.stdout.write(write(commands(made), global_options(made), tuple(rule.code for rule in rules())))
    return 0
