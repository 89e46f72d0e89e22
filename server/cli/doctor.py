"""``assay doctor``: what Assay finds on this machine, and what it misses."""

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from assay.server.cli.options import Subparsers

_TOOLS = {
    "git": "for `assay check --since`",
    "gcc": "only to compile the examples by hand",
    "clang": "only to compile the examples by hand",
}


class Item(NamedTuple):
    """One line of the report; `broken` when Assay cannot work without it."""

    name: str
    state: str
    broken: bool = False


def add_parser(subparsers: "Subparsers") -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "doctor",
        help="say what works on this machine",
        description="Say what works on this machine. Exit status: 0 unless something required is broken, then 2.",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the report."""
    items = [*_interpreter(), *_packages(), *_features(), *_cache(), *_tools()]
    width = max(len(item.name) for item in items)
    for item in items:
        sys.stdout.write(f"{'!!' if item.broken else 'ok'}  {item.name:<{width}}  {item.state}\n")
    return 2 if any(item.broken for item in items) else 0


def _interpreter() -> Iterator[Item]:
    import platform

    from assay.server.version import assay_version

    yield Item("assay", assay_version())
    yield Item("python", f"{platform.python_version()} ({sys.executable})")
    yield Item("platform", platform.platform())


def _packages() -> Iterator[Item]:
    import re
    from importlib.metadata import PackageNotFoundError, requires, version

    from assay.server.version import DISTRIBUTION

    required = [line for line in requires(DISTRIBUTION) or () if "extra ==" not in line]
    for line in sorted(required, key=str.lower):
        name = re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0]
        try:
            yield Item(name, version(name))
        except PackageNotFoundError:
            yield Item(name, f"missing, and required ({line}). Install Assay again with pip.", broken=True)


def _features() -> Iterator[Item]:
    from assay.features.registry import installed
    from assay.server.reports.words import counted

    found = installed()
    for feature in found.features:
        languages = ", ".join(sorted(feature.languages))
        yield Item(f"feature {feature.name}", f"{counted(len(feature.rules), 'rule')} for {languages}")
    for entry, reason in found.broken:
        yield Item(f"feature {entry}", f"cannot be loaded ({reason}). Repair or uninstall it.", broken=True)
    if not found.features:
        yield Item("features", "none is installed, so nothing can be checked. Install Assay again.", broken=True)


def _cache() -> Iterator[Item]:
    from assay.server.cache import Cache, default_folder

    problems: list[str] = []
    with Cache(default_folder(), problems.append) as cache:
        count, size = cache.usage()
    state = f"{cache.path}: {count} results, {size / 1e6:.1f} MB of at most {cache.max_bytes / 1e6:.0f} MB"
    yield Item("cache", problems[0] if problems else state)


def _tools() -> Iterator[Item]:
    import shutil

    for name, purpose in _TOOLS.items():
        yield Item(name, shutil.which(name) or f"not found (optional, {purpose})")
