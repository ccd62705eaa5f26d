"""Accepting connections: some at a time, from a long queue, so that none is lost while many come at once."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from .connections import Connections

QUEUE = 4096
"""Connections that wait to be accepted; the system may allow fewer (`net.core.somaxconn`). Beyond, it drops them, and a
client tries again after a second."""
AT_ONCE = 64
"""Connections that are accepted before they are counted: fewer than the reserve of open files."""
SHARED, TURN_S = 4, 0.001
"""As many where other workers accept from the same queue, and how long these have their turn then: the first to wake
would have all that come together, and the others nothing to do."""
MAX_UNREAD = 1 << 16
PAUSE_S = 0.05
"""How long nothing is accepted after that failed, as it does without a free file."""


class Acceptor:
    """Accepts the connections of one listening socket; uvicorn closes it as it would an asyncio server."""

    def __init__(
        self,
        listener: socket.socket,
        make_protocol: Callable[[], asyncio.Protocol],
        connections: Connections,
        *,
        is_shared: bool = False,
    ) -> None:
        self._listener = listener
        self._make_protocol = make_protocol
        self._connections = connections
        self._at_once, self._turn_s = (SHARED, TURN_S) if is_shared else (AT_ONCE, 0.0)
        self._connecting: set[asyncio.Task[object]] = set()
        listener.setblocking(False)
        self._accepting = asyncio.create_task(self._accept())

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                self._let_in(*await loop.sock_accept(self._listener))
                for _ in range(1, self._at_once):  # without waiting: uvloop would take one in each of its turns
                    connection, address = self._listener.accept()
                    connection.setblocking(False)
                    self._let_in(connection, address)
            except BlockingIOError:  # nobody waits any more
                pass
            except OSError:
                await asyncio.sleep(PAUSE_S)
            await asyncio.sleep(self._turn_s)  # the protocols are made, and count their connections

    def _let_in(self, connection: socket.socket, address: tuple[str, int]) -> None:
        """Connect, or refuse."""
        status = self._connections.refusal(address)
        if status is None:
            self._connect(connection)
        else:
            self._refuse(connection, status)

    def _connect(self, connection: socket.socket) -> None:
        made = asyncio.get_running_loop().connect_accepted_socket(self._make_protocol, connection)
        connecting = asyncio.create_task(made)
        self._connecting.add(connecting)
        connecting.add_done_callback(self._connected)

    def _connected(self, connecting: asyncio.Task[object]) -> None:
        self._connecting.discard(connecting)
        if not connecting.cancelled():
            connecting.exception()  # the client is gone already

    def _refuse(self, connection: socket.socket, status: bytes) -> None:
        """Refuse a connection before anything is read."""

        def close() -> None:
            with suppress(OSError):
                connection.recv(MAX_UNREAD)
            connection.close()

        try:
            self._connections.refuse(status, connection.send, partial(connection.shutdown, socket.SHUT_WR), close)
        except OSError:
            close()

    def close(self) -> None:
        """Accept no more."""
        self._accepting.cancel()
        self._connections.close()

    async def wait_closed(self) -> None:
        """Wait until nothing is accepted any more."""
        await asyncio.wait([self._accepting])


def accept_by(connections: Connections, *, is_shared: bool = False) -> None:
    """Have the running event loop accept by an `Acceptor` for each socket that it is to serve, alone or with others."""
    loop = asyncio.get_running_loop()

    async def create_server(make_protocol: Callable[[], asyncio.Protocol], *, sock: socket.socket, **_: object) -> Any:
        return Acceptor(sock, make_protocol, connections, is_shared=is_shared)

    loop.create_server = create_server  # type: ignore[method-assign, assignment]
