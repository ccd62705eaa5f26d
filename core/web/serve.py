"""Serving an app with uvicorn, in a process of its own."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import logging
import signal
import socket
import sys
from contextlib import suppress

from starlette.applications import Starlette

from ..errors import Message, MissingExtra

try:
    import uvicorn
except ImportError:
    raise MissingExtra(Message("serving", "serving matches over the web"), "web") from None

QUEUE = 4096
"""Connections that wait to be accepted; the system may allow fewer (`net.core.somaxconn`)."""
IDLE_S = 30
"""How long a connection may be idle between two requests."""
LOOK_S = 0.1
"""How often it is looked whether the server is to stop."""
GRACE_S = 5
"""How long requests may still run when the server is stopped."""
SWITCH_S = 0.001
"""How long a thread that computes keeps the interpreter while others wait for it."""
NEW_OBJECTS = 20_000
"""How many objects outlive those that go before the garbage collector looks for cycles (Python: 700).

A command leaves states that are kept, and hardly a cycle: to look through them took a sixth of the server's time.
"""

ARENAS, ARENA_MAX = 2, -8
"""How many heaps glibc may have for all threads, and what `mallopt` calls that.

With one for each thread that packs a page, a host held 20 MB more after a flood of requests for long ones; now 14.
"""


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that listens at this address; raises `OSError` if it is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=QUEUE)
    # asyncio lets answers go at once (`TCP_NODELAY`) only on a socket that says it is TCP; else each waits for 40 ms
    return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, listener.detach())


def serve(app: Starlette, listener: socket.socket) -> None:
    """Serve until a signal stops it; warnings of all libraries go to the access log."""
    settle()
    server = server_of(app)
    before = signal.signal(signal.SIGTERM, lambda *_: None)  # uvicorn raises it again: who called has to clean up
    try:
        with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
            runner.run(run(server, app, listener))
    finally:
        signal.signal(signal.SIGTERM, before)


def server_of(app: Starlette) -> uvicorn.Server:
    """Return uvicorn's server of an app."""
    config = uvicorn.Config(
        app,
        access_log=False,
        backlog=QUEUE,
        date_header=True,
        limit_concurrency=app.state.context.limits.connections,
        log_config=None,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
        timeout_keep_alive=IDLE_S,
        ws="none",
    )
    return uvicorn.Server(config)


async def run(server: uvicorn.Server, app: Starlette, listener: socket.socket) -> None:
    """Serve until the server is to stop; then its streams end."""
    ending = asyncio.create_task(_end_streams(server, app))
    await server.serve(sockets=[listener])
    ending.cancel()


async def _end_streams(server: uvicorn.Server, app: Starlette) -> None:
    """End all streams once the server is to stop, which would wait for them."""
    while not server.should_exit:
        await asyncio.sleep(LOOK_S)
    app.state.feeds.close()


def settle() -> None:
    """Make the process one that serves."""
    sys.setswitchinterval(SWITCH_S)
    with suppress(OSError, AttributeError):  # another library of C, or another system
        ctypes.CDLL(None).mallopt(ARENA_MAX, ARENAS)
    gc.freeze()  # modules and games, which stay
    gc.set_threshold(NEW_OBJECTS)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # it warns of each malformed request
