"""Serving an app with uvicorn, until it is interrupted."""

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

GRACE = 5
"""Seconds that requests under way have when the server is stopped."""


def bind(host: str, port: int) -> socket.socket:
    """Take the address to serve at; raises `OSError` if somebody else has it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


def serve(app: Starlette, at: socket.socket, most_said: int) -> None:
    """Serve until a signal ends it; what uvicorn itself has to say goes to the journal, warnings only."""
    spoken = logging.getLogger("uvicorn.error")
    spoken.handlers, spoken.propagate = access_log.LOGGER.handlers, False
    config = uvicorn.Config(
        app,
        access_log=False,
        date_header=True,
        log_config=None,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        ws_max_queue=4,
        ws_max_size=most_said,
    )
    uvicorn.Server(config).run(sockets=[at])
