"""An app served over sockets, by uvicorn in a thread of its own."""

import asyncio
import socket
import time
from threading import Thread

TIMEOUT_S = 60
UPGRADE = (
    b"GET /api/matches/%s/watch HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
PING, TEXT, PONG, CLOSE = 0x89, 0x81, 0x8A, 0x88
"""The heads of frames."""


def limits(**some):
    from kifu.core.web import Limits

    return Limits(**{"request_burst": 10**6, "open_burst": 10**6, "join_burst": 10**6, **some})


def wait_for(holds):
    for _ in range(TIMEOUT_S * 100):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("it never holds")


def frame(head: int, payload: bytes = b"") -> bytes:
    """Return a frame of a client, masked with zeros."""
    return bytes([head, 0x80 | len(payload), 0, 0, 0, 0]) + payload


def read_on(connection) -> bytes:
    pieces = []
    try:
        while piece := connection.recv(65536):
            pieces.append(piece)
    except ConnectionError:
        pass
    return b"".join(pieces)


class Served:
    """An app served by uvicorn on a loop of its own, with these limits."""

    def __init__(self, proxy=None, **some):
        import uvicorn
        from kifu.core.host import Host
        from kifu.core.stores import MemoryStore
        from kifu.core.web import app
        from kifu.core.web.limits.accepting import accept_by
        from kifu.core.web.limits.connections import Connections
        from kifu.core.web.limits.protocols import protocols
        from kifu.core.web.serve import bind

        served = app(Host(MemoryStore()), limits=limits(**some))
        self.app, self.context = served, served.state.context
        self.connections = Connections(
            self.context.limits, self.context.metrics, lambda host: host == proxy, self.context.request_rate
        )
        http, websocket = protocols(self.connections)
        self.listener = bind("127.0.0.1", 0)
        config = uvicorn.Config(
            served, http=http, ws=websocket, log_config=None, access_log=False, timeout_graceful_shutdown=1
        )
        load = config.load

        def begin():
            self.loop = asyncio.get_running_loop()
            accept_by(self.connections)
            load()

        config.load = begin
        self.server = uvicorn.Server(config)
        self.thread = Thread(target=lambda: self.server.run(sockets=[self.listener]), daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *error):
        self.server.should_exit = True
        self.thread.join(TIMEOUT_S)
        self.listener.close()

    def connect(self, address=""):
        """Return a connection, from this address if one is named."""
        return socket.create_connection(self.listener.getsockname(), TIMEOUT_S, (address, 0) if address else None)

    def ask(self, path="/health/live"):
        """Return the response to a request on a connection of its own."""
        with self.connect() as connection:
            connection.sendall(b"GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" % path.encode())
            return read(connection)


def read(connection):
    """Read until the server closes."""
    pieces = []
    while piece := connection.recv(65536):
        pieces.append(piece)
    return b"".join(pieces).decode()
