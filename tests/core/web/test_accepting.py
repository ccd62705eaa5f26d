"""Connections that come together are shared out among the workers that accept from one queue."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack
from functools import partial

import pytest

pytest.importorskip("msgspec", reason="needs kifu[web]")


def test_no_worker_has_all_the_connections_that_come_together() -> None:
    from kifu.core.web.limits.accepting import SHARED, Acceptor
    from kifu.core.web.limits.connections import Connections
    from kifu.core.web.limits.rate_limits import Limits
    from kifu.core.web.metrics import Metrics

    counts = [0, 0]

    class Counted(asyncio.Protocol):
        def __init__(self, worker: int) -> None:
            self.worker = worker

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            counts[self.worker] += 1
            transport.close()

    async def accepted(listener: socket.socket) -> None:
        workers = [
            Acceptor(held.enter_context(listener.dup()), partial(Counted, worker), connections, is_shared=True)
            for worker in range(2)
        ]
        async with asyncio.timeout(30):
            while sum(counts) < 40:
                await asyncio.sleep(0.001)
        for each in workers:
            each.close()
            await each.wait_closed()

    with ExitStack() as held:
        connections = Connections(Limits(), Metrics())
        listener = held.enter_context(socket.create_server(("127.0.0.1", 0), backlog=100))
        for _ in range(40):
            held.enter_context(socket.create_connection(listener.getsockname()))
        asyncio.run(accepted(listener))
    assert abs(counts[0] - counts[1]) <= SHARED, counts
