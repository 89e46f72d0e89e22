"""Write a report where it was asked for: the whole of it or nothing."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from assay.analyzers.errors import UsageError
from assay.server.sources import reason_of


def write_file(path: Path, text: str, option: str = "--output") -> None:
    """Write a text so that the file never holds half of it; raise `UsageError` when it cannot be written.

    `option` is what named the file.  Something that is not a regular file (a pipe, ``/dev/null``) is written to
    directly.
    """
    data = text.encode("utf-8", "backslashreplace")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            replace(Path(os.path.realpath(path)), data)
    except OSError as error:
        raise UsageError(
            f"The report cannot be written to {path} ({reason_of(error)}). "
            f"Give {option} a file in a folder that exists and has room."
        ) from error


def replace(path: Path, data: bytes) -> None:
    """Put `data` in place of a file at once, keeping its mode; raises `OSError`, and then the file is as it was."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
