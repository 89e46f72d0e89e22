"""Start an analysis process: in a module of its own, so that the first one starts before the event loop is loaded."""

import subprocess
import sys
from collections.abc import Sequence

COMMAND = (sys.executable, "-P", "-m", "assay.server.worker")
"""How an analysis process starts; ``-P`` keeps the current folder out of its import path."""


def spawn(command: Sequence[str] = COMMAND, quiet: bool = True) -> "subprocess.Popen[bytes]":
    """Start a process with a pipe at both ends; raises `OSError` when that is impossible.

    Call it from the main thread: Linux ends an analysis process with the thread that started it.
    """
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if quiet else None,
        start_new_session=True,
    )
