"""Name the code that produces results, so that a result of other code is never reused.

The fingerprint covers the sizes and times of every Python file under the packages that analyse, which
changes with an upgrade and with every edit of a development checkout.
"""

import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from assay.features.registry import features
from assay.server.version import assay_version

_OWN = ("assay.analyzers", "assay.features")
_BESIDES = ("tree-sitter", "tree-sitter-c")


def fingerprint() -> str:
    """Give a digest of all code that takes part in an analysis."""
    modules = {type(feature).__module__ for feature in features()}
    foreign = sorted(module for module in modules if not module.startswith(_OWN))
    parts = [assay_version(), sys.version, *(f"{name} {version(name)}" for name in _BESIDES)]
    for folder in _folders((*_OWN, *foreign)):
        parts += _stamps(folder)
    return sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def _folders(modules: Iterable[str]) -> Iterator[Path]:
    for name in modules:
        spec = find_spec(name)
        for location in (spec.submodule_search_locations or [spec.origin or ""]) if spec else ():
            yield Path(location)


def _stamps(place: Path) -> list[str]:
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    stats = [(file, file.stat()) for file in files if file.is_file()]
    return [f"{file}:{status.st_size}:{status.st_mtime_ns}" for file, status in stats]
