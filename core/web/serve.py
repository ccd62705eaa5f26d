"""Serving an app with uvicorn."""

from __future__ import annotations

import logging
import socket

from starlette.applications import Starlette

from ..errors import Message, MissingExtra
from . import access_log

try:
    import uvicorn
except ImportError:
    raise MissingExtra(Message("serving", "serving matches over the web"), "web") from None

GRACE_S = 5
"""How long requests may still run when the server is stopped."""


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that listens at this address; raises `OSError` if it is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


def serve(app: Starlette, listener: socket.socket, max_message_bytes: int) -> None:
    """Serve until a signal stops it; uvicorn's own warnings go to the access log."""
    uvicorn_log = logging.getLogger("uvicorn.error")
    uvicorn_log.handlers, uvicorn_log.propagate = access_log.LOGGER.handlers, False
    config = uvicorn.Config(
        app,
        access_log=False,
        date_header=True,
        log_config=None,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
        ws_max_queue=4,
        ws_max_size=max_message_bytes,
    )
    uvicorn.Server(config).run(sockets=[listener])
