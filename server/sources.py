"""Read source files the way they come: any encoding in use, any size, and things that are not files at all."""

import codecs
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from assay.analyzers.errors import AssayError, LimitError, UnreadableError, UsageError

_PIECE = 1 << 20
_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class NotTextError(UnreadableError):
    """The file was read, and it is not source text. Exclude it, or save it in a text encoding."""


def absolute(path: Path) -> Path:
    """Make a path absolute and free of ``..`` by its letters alone: links in it keep their names.

    Raises `UsageError` for a relative path when the current folder was removed.
    """
    try:
        return Path(os.path.normpath(path.absolute()))
    except OSError as error:
        raise UsageError("The current folder was removed. Change to a folder that exists, and try again.") from error


def status_of(path: Path, follow: bool = True) -> os.stat_result | None:
    """Give the status of what a path leads to, or of the link itself; None when nothing is there or may be seen."""
    try:
        return path.stat(follow_symlinks=follow)
    except (OSError, ValueError):
        return None


def mode_of(path: Path, follow: bool = True) -> int:
    """Give the mode of what a path leads to, or of the link itself; 0 when nothing is there or may be seen."""
    status = status_of(path, follow)
    return 0 if status is None else status.st_mode


Stamp = tuple[int, int, int] | None


def stamp_of(path: Path) -> Stamp:
    """Give what changes when a file does (time in nanoseconds, bytes, identity), or None when there is no file."""
    status = status_of(path)
    return None if status is None else (status.st_mtime_ns, status.st_size, status.st_ino)


def read_source(path: Path, limit: int) -> str:
    """Read a file of at most `limit` bytes as text.

    Raises `UnreadableError` (missing, forbidden, not a regular file), `NotTextError` or `LimitError` (too large).
    """
    return decode(read_bytes(path, limit))


def read_bytes(path: Path, limit: int) -> bytes:
    """Read a regular file without ever blocking; the errors are those of `read_source`."""
    try:
        check_kind(path.stat().st_mode)
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb") as file:
            check_kind(os.fstat(descriptor).st_mode)
            size = os.fstat(descriptor).st_size
            data = _at_most(limit + 1, file) if size <= limit else b""
    except (OSError, ValueError) as error:
        raise UnreadableError(explain(error)) from error
    if size > limit or len(data) > limit:
        raise LimitError(too_large(max(size, len(data)), limit))
    return data


def _at_most(count: int, file: BinaryIO) -> bytes:
    """Read in pieces: a single read would take memory for `count` bytes, however few there are."""
    data = bytearray()
    while len(data) < count and (piece := file.read(min(_PIECE, count - len(data)))):
        data += piece
    return bytes(data)


def too_large(size: int, limit: int) -> str:
    """Say that a file has more bytes than `limit`, and what to do."""
    return (
        f"The file has {size:,} bytes, more than the {limit:,} that are analysed. "
        "Raise `max-file-size` in the settings to analyse it."
    )


def check_kind(mode: int) -> None:
    """Raise `UnreadableError` unless `mode` is that of a regular file."""
    if stat.S_ISREG(mode):
        return
    kind = next((name for test, name in _KINDS if test(mode)), "something else")
    raise UnreadableError(f"This is {kind}, not a file. Give the path of a source file.")


def reason_of(error: OSError) -> str:
    """Give the system's own words for an error, as they stand inside a sentence."""
    return (error.strerror or str(error)).lower()


def explain(error: OSError | ValueError) -> str:
    """Say in one line why the system refused a path, and what to do."""
    match error:
        case FileNotFoundError():
            return "The file does not exist. Check the path; it may have been removed meanwhile."
        case PermissionError():
            return "The file may not be read. Change its permissions, or exclude it."
        case IsADirectoryError():
            return "This is a folder, not a file. Give the path of a source file."
        case OSError() if error.strerror:
            advice = _ADVICE.get(os.strerror(error.errno or 0), "Check the path and the disk it is on.")
            return f"The system cannot read it ({reason_of(error)}). {advice}"
    return f"The path is not valid ({error}). Check it."


_ADVICE = {
    "Too many levels of symbolic links": "The link leads back to itself; repair or remove it.",
    "File name too long": "Use a shorter path.",
    "Not a directory": "A part of the path is a file, not a folder; check the path.",
}


def decode(data: bytes) -> str:
    """Turn bytes into text: UTF-8, UTF-16 or UTF-32 by their mark, else UTF-8, else Latin-1 as old C code is.

    Raises `NotTextError` for binary data, which a NUL byte gives away.
    """
    text = _decoded(data)
    if "\0" in text:
        raise NotTextError("The file is binary, not source text. Exclude it, or check its name.")
    return text


MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte order marks and what follows them; the mark of UTF-16 is the beginning of one of UTF-32, so it comes later."""


def _decoded(data: bytes) -> str:
    mark, codec = next((one for one in MARKS if data.startswith(one[0])), (b"", "utf-8"))
    try:
        return data[len(mark) :].decode(codec)
    except UnicodeDecodeError as error:
        if codec != "utf-8":
            raise NotTextError(
                f"The file begins as {codec.upper()} but is not valid ({error.reason}). Save it as UTF-8."
            ) from error
        return data.decode("latin-1")


def read_neighbour(path: Path, limit: int) -> str | None:
    """Read a file that another one mentions: its text, or None for any reason it cannot be had."""
    try:
        return read_source(path, limit)
    except AssayError:
        return None
