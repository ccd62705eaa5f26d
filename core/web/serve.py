"""Serving an app with uvicorn, in this process or in several that share a store."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import parent_process
from threading import Thread

from starlette.applications import Starlette

from ..errors import Message, MissingExtra

try:
    import uvicorn
    from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
    from uvicorn.supervisors import Multiprocess

    from .limits.accepting import QUEUE, accept_by
    from .limits.connections import Connections
    from .limits.protocols import protocols
    from .metrics import SHARED
    from .scratch_folder import scratch_folder
except ImportError:
    raise MissingExtra(Message("serving", "serving matches over the web"), "web") from None

GRACE_S = 5
"""How long requests may still run when the server is stopped."""
BEGIN_S = 30
"""How long a worker may not answer its supervisor, as while it begins; one that has died is replaced at once.

uvicorn's own 5 seconds end it on a busy or a small machine before it has begun, again and again.
"""
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
    return socket.create_server((host, port), family=family, backlog=QUEUE)


class Config(uvicorn.Config):
    """uvicorn's configuration, for an app that is built in the process that serves it."""

    def __init__(self, build: Callable[[], Starlette], workers: int = 1) -> None:
        self._build = build
        super().__init__(
            "",
            access_log=False,
            date_header=True,
            log_config=None,
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=GRACE_S,
            timeout_worker_healthcheck=BEGIN_S,
            workers=workers,
            ws_max_queue=4,
            ws_per_message_deflate=False,  # else every message is packed for every watcher
        )

    def load(self) -> None:
        """Build the app, and the protocols that count its connections."""
        sys.setswitchinterval(SWITCH_S)
        with suppress(OSError, AttributeError):  # another library of C, or another system
            ctypes.CDLL(None).mallopt(ARENA_MAX, ARENAS)
        if parent_process() is not None:
            Thread(target=_end_with_the_parent, daemon=True, name="kifu parent").start()
        self.app = app = self._build()
        gc.freeze()  # modules and games, which stay
        gc.set_threshold(NEW_OBJECTS)
        context = app.state.context
        trusted = ProxyHeadersMiddleware(app, self.forwarded_allow_ips).trusted_hosts  # type: ignore[arg-type]
        connections = Connections(context.limits, context.metrics, lambda host: host in trusted, context.request_rate)
        self.http, self.ws = protocols(connections)
        accept_by(connections, is_shared=self.workers > 1)
        self.ws_max_size = context.limits.body_bytes
        logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
        super().load()


def serve(app: Starlette, listener: socket.socket) -> None:
    """Serve until a signal stops it; warnings of all libraries go to the access log."""
    before = signal.signal(signal.SIGTERM, _return)
    try:
        uvicorn.Server(Config(lambda: app)).run(sockets=[listener])
    finally:
        signal.signal(signal.SIGTERM, before)


def _return(*_: object) -> None:
    """Do nothing when uvicorn, having stopped, raises its signal again: who called `serve` has to clean up."""


def serve_in_workers(build: Callable[[], Starlette], listener: socket.socket, workers: int) -> None:
    """Serve from so many processes until a signal stops them; raises `KeyboardInterrupt` if it was SIGINT.

    Each calls `build`, which is pickled, for an app of its own; what they share is the store. One that ends is begun
    anew. They end with this process, however it ends.
    """
    with scratch_folder("kifu-metrics-") as folder:
        os.environ[SHARED] = str(folder)
        try:
            supervisor = Workers(Config(build, workers), [listener])
            supervisor.run()
        finally:
            del os.environ[SHARED]
    if supervisor.interrupted:
        raise KeyboardInterrupt


class Workers(Multiprocess):
    """uvicorn's supervisor, which remembers whether it was interrupted."""

    interrupted = False

    def handle_int(self) -> None:
        """Stop all workers."""
        self.interrupted = True
        super().handle_int()


def _end_with_the_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
