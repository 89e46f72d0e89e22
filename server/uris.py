"""Turn document URIs into paths and back.

Editors spell the same file differently (``file:///c%3A/x``, ``file:///c:/x``), so documents are keyed by the URI as
the client wrote it, and compared by path.
"""

import os
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

_DRIVE = re.compile(r"^/[A-Za-z]:")


def to_path(uri: str) -> Path | None:
    """Give the absolute path of a ``file:`` URI; None for anything else, such as ``untitled:``."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file":
        return None
    host = f"//{parts.netloc}" if parts.netloc and parts.netloc != "localhost" else ""
    return _absolute(host + unquote(parts.path, errors="surrogateescape"))


def _absolute(name: str) -> Path | None:
    if os.name == "nt" and _DRIVE.match(name):
        name = name[1:]
    if not name or "\0" in name:
        return None
    path = Path(os.path.normpath(name))
    return path if path.is_absolute() else None


def from_path(path: Path) -> str:
    """Give the ``file:`` URI of an absolute path."""
    return path.as_uri()


def is_notebook_cell(uri: str) -> bool:
    """Tell whether a URI names a cell of a notebook, which Assay does not read yet."""
    return uri.startswith("vscode-notebook-cell:")
