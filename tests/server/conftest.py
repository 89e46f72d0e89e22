"""Language servers for the tests, with the scripted feature installed beside the real ones.

Most tests share one server and start from an empty editor; those that look at processes, or at what is told once in
a conversation, start their own.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from lsp_client import Client


@pytest.fixture
def start() -> Iterator[Callable[..., Client]]:
    """Start servers; the arguments are those of `Client`."""
    clients: list[Client] = []

    def start_one(*arguments: str, **options: Any) -> Client:
        clients.append(Client(*arguments, **options))
        return clients[-1]

    yield start_one
    for client in clients:
        client.close()


@pytest.fixture
def fresh(start: Callable[..., Client]) -> Client:
    """A new server, initialized by an editor that can do everything."""
    started = start()
    started.initialize()
    return started


@pytest.fixture(scope="module")
def shared() -> Iterator[list[Client]]:
    """The server of a module, once there is one."""
    clients: list[Client] = []
    yield clients
    for client in clients:
        client.close()


@pytest.fixture
def client(shared: list[Client]) -> Iterator[Client]:
    """The module's server, with nothing open and nothing seen."""
    if not shared or shared[-1].process.poll() is not None:
        shared.append(Client())
        shared[-1].initialize()
    yield shared[-1]
    shared[-1].start_over()
