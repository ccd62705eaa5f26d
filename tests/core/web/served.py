"""An app served over sockets, by uvicorn in a thread of its own."""

import asyncio
import socket
from threading import Thread

import pytest

TIMEOUT_S = 60


def limits(**some):
    from kifu.core.web import Limits

    return Limits(**{"processor_burst_s": 10**6, "bot_matches_per_client": 10**6, **some})


def read_on(connection) -> bytes:
    pieces = []
    try:
        while piece := connection.recv(65536):
            pieces.append(piece)
    except ConnectionError:
        pass
    return b"".join(pieces)


def read_until(connection, words: bytes) -> bytes:
    """Return what comes, up to these words and a little more."""
    come = b""
    while words not in come:
        piece = connection.recv(4096)
        assert piece, f"it was closed after {come!r}"
        come += piece
    return come


class Served:
    """An app served by uvicorn on a loop of its own, with these limits."""

    def __init__(self, host=None, engine=None, **some):
        pytest.importorskip("msgspec", reason="needs kifu[web]")
        from kifu.core.host import Host
        from kifu.core.stores import MemoryStore
        from kifu.core.web import app
        from kifu.core.web.serve import bind, run, server_of

        self.app = served = app(host or Host(MemoryStore()), limits=limits(**some), engine=engine)
        self.context = served.state.context
        self.listener = bind("127.0.0.1", 0)
        self.server = server_of(served)
        self.server.config.timeout_graceful_shutdown = 1

        async def serve():
            self.loop = asyncio.get_running_loop()
            await run(self.server, served, self.listener)

        self.thread = Thread(target=lambda: asyncio.run(serve()), daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *error):
        self.server.should_exit = True
        self.thread.join(TIMEOUT_S)
        self.listener.close()

    @property
    def address(self):
        return f"http://localhost:{self.listener.getsockname()[1]}"

    def connect(self):
        return socket.create_connection(self.listener.getsockname(), TIMEOUT_S)

    def ask(self, path="/health/live"):
        """Return the response to a request on a connection of its own."""
        with self.connect() as connection:
            connection.sendall(b"GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" % path.encode())
            return read_on(connection).decode()
