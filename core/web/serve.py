"""Serving an app with uvicorn."""

from __future__ import annotations

import logging
import socket
import sys

from starlette.applications import Starlette

from ..errors import Message, MissingExtra

try:
    import uvicorn
    from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

    from .accepting import QUEUE, Server
    from .connections import Connections, protocols
except ImportError:
    raise MissingExtra(Message("serving", "serving matches over the web"), "web") from None

GRACE_S = 5
"""How long requests may still run when the server is stopped."""
SWITCH_S = 0.001
"""How long a thread that computes keeps the interpreter while others wait for it."""


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that listens at this address; raises `OSError` if it is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=QUEUE)


def serve(app: Starlette, listener: socket.socket) -> None:
    """Serve until a signal stops it; warnings of all libraries go to the access log."""
    sys.setswitchinterval(SWITCH_S)
    context = app.state.context
    config = uvicorn.Config(
        app,
        access_log=False,
        date_header=True,
        log_config=None,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
        ws_max_queue=4,
        ws_per_message_deflate=False,  # else every message is packed for every watcher
        ws_max_size=context.limits.body_bytes,
    )
    trusted = ProxyHeadersMiddleware(config.app, config.forwarded_allow_ips).trusted_hosts  # type: ignore[arg-type]
    connections = Connections(context.limits, context.metrics, lambda host: host in trusted, context.request_rate)
    config.http, config.ws = protocols(connections)
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    Server(config, connections).run(sockets=[listener])
