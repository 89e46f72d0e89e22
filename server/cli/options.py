"""Types shared by the commands' argument parsers."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def codes(text: str) -> list[str]:
    """Read a comma-separated list of rule codes or patterns."""
    listed = [part.strip() for part in text.split(",") if part.strip()]
    if not listed:
        raise argparse.ArgumentTypeError("give at least one rule code, such as race/lost-update or 'race/*'")
    return listed


def positive(text: str) -> int:
    """Read a whole number of at least 1."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return number


def address(text: str) -> tuple[str, int]:
    """Read HOST:PORT; an IPv6 host stands in brackets, and port 0 lets the system choose."""
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not HOST:PORT, such as 127.0.0.1:7777")
    return host.strip("[]"), int(port)
