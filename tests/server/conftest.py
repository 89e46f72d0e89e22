"""A language server process for each test, with the scripted feature installed beside the real ones."""

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
def client(start: Callable[..., Client]) -> Client:
    """A server that is initialized by an editor that can do everything."""
    started = start()
    started.initialize()
    return started
