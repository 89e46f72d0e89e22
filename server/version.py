"""The version of the installed distribution."""

from importlib.metadata import version

DISTRIBUTION = "assay-ls"


def assay_version() -> str:
    """Give the version of the installed distribution."""
    return version(DISTRIBUTION)
