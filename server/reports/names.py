"""Name a finding so that the name outlives edits elsewhere: the one identity that SARIF and baselines use."""

import os
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote_from_bytes

from assay.analyzers.findings import Finding, Span
from assay.server.sources import absolute

LineOf = Callable[[str | None, int], str]
"""Gives a line, by its 0-based number, of the file itself (None) or of another one; empty when it cannot be had."""


def name_of(path: Path, finding: Finding, line_of: LineOf, root: Path) -> str:
    """Name a finding in the file `path` by its rule, its place below `root` and the text of the lines it is about.

    Moving the lines keeps the name; two findings on equal lines share it.
    """
    about = [_words(None, finding.span, line_of)]
    about += sorted(_words(one.path, one.span, line_of) for one in finding.related)
    if not any(about):
        about = [re.sub(r"\d+", "#", finding.message)]
    return "\0".join((finding.code, quote_from_bytes(os.fsencode(relative(path, root))), *about))


def fingerprint(name: str, occurrence: int = 1) -> str:
    """Give the digest of a name, for the first finding that has it or a later one."""
    return sha256(f"{name}\0{occurrence}".encode("utf-8", "surrogatepass")).hexdigest()


def relative(path: Path, root: Path) -> str:
    """Give a path as seen from a folder, with ``/`` between the parts; as it is where no way leads there."""
    try:
        return Path(os.path.relpath(absolute(path), absolute(root))).as_posix()
    except ValueError:  # another drive of Windows
        return absolute(path).as_posix()


def _words(path: str | None, span: Span, line_of: LineOf) -> str:
    return " ".join(line_of(path, span.start.line).split())
