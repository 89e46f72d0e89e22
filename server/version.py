"""The version of the installed distribution."""

import os
import sys

DISTRIBUTION = "assay-ls"


def assay_version() -> str:
    """Give the version of the installed distribution, "unknown" when only its files are there.

    The name of the metadata's folder tells it (`distribution-version.dist-info`, by the packaging standard):
    importlib.metadata would cost the answer to ``initialize`` 30 ms.
    """
    return next(filter(None, map(_version_in, sys.path)), None) or _from_metadata()


def _version_in(folder: str) -> str | None:
    start, end = DISTRIBUTION.replace("-", "_") + "-", ".dist-info"
    try:
        with os.scandir(folder or ".") as entries:
            names = [entry.name for entry in entries]
    except OSError:
        return None
    return next((n[len(start) : -len(end)] for n in names if n.startswith(start) and n.endswith(end)), None)


def _from_metadata() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"
