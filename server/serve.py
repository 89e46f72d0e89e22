"""``assay serve``: the language server, over standard input and output or one TCP connection.

Only the answer to ``initialize`` is given with what is loaded here; the first analysis process and the rest of the
server start when the client has it.
"""

import contextlib
import gc
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from assay.server.channel import Channel, accept, claim_stdio
from assay.server.client import Client
from assay.server.handshake import Inbox, greet
from assay.server.watched import Watched, watch

if TYPE_CHECKING:
    import subprocess


class Greeted(NamedTuple):
    """A client that has its answer: how to reach it, what came behind ``initialize``, its process, and `first`.

    `first` is an analysis process that is starting; None when none could be started.
    """

    client: Client
    channel: Channel
    inbox: Inbox
    watched: Watched | None
    first: "subprocess.Popen[bytes] | None"


class ServeOptions(NamedTuple):
    """How to serve: on the address `tcp` (host, port), or on standard input and output when it is None.

    `log_level` is a name of the logging module; `debug` shows tracebacks on standard error.
    """

    tcp: tuple[str, int] | None = None
    log_level: str = "WARNING"
    debug: bool = False


def serve(options: ServeOptions) -> int:
    """Serve one client to the end of its conversation; give the exit status."""
    try:
        return _serve(accept(*options.tcp) if options.tcp else claim_stdio(), options)
    except KeyboardInterrupt:
        return 130


def _serve(channel: Channel, options: ServeOptions) -> int:
    inbox = Inbox()
    try:
        client = greet(inbox, channel)
    except OSError:  # the client is gone
        client = None
    if client is None:
        return 1
    greeted = Greeted(client, channel, inbox, watch(client.process_id), _first_process(options))
    with _rare_collections():
        from assay.server.application import run
    return run(greeted, options)


def _first_process(options: ServeOptions) -> "subprocess.Popen[bytes] | None":
    """Start an analysis process beside the import of the server; None when that fails, which is told later."""
    from assay.server.spawn import spawn

    try:
        return spawn(quiet=not options.debug)
    except OSError:
        return None


@contextlib.contextmanager
def _rare_collections() -> Iterator[None]:
    """Collect garbage rarely while thousands of lasting objects are made: it saves a quarter of the import's time."""
    thresholds = gc.get_threshold()
    gc.set_threshold(20_000, *thresholds[1:])
    try:
        yield
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(*thresholds)


if __name__ == "__main__":
    sys.exit(serve(ServeOptions()))
