"""Connections are counted before a byte is read, and each request has a time: half-sent ones are not held."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from .metrics import Metrics
from .rate_limits import Limits, RateLimiter, client_of

REFUSAL = b"HTTP/1.1 %s\r\nRetry-After: %d\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
TOO_MANY, BUSY = b"429 Too Many Requests", b"503 Service Unavailable"
HEAD_END = b"\r\n\r\n"
LATE, TOO_LARGE = b"408 Request Timeout", b"431 Request Header Fields Too Large"
RETRY_S = 5
REFUSING_S = 0.2
"""How long a connection that was refused may still read why."""
MAX_REFUSING = 100
"""How many of them wait so; others are closed at once."""


class Connections:
    """The open connections, of each client and in all, against their limits."""

    def __init__(
        self,
        limits: Limits,
        metrics: Metrics,
        is_proxy: Callable[[str], bool] = lambda _: False,
        request_rate: RateLimiter | None = None,
    ) -> None:
        self.limits = limits
        self._metrics = metrics
        self._is_proxy = is_proxy
        self._request_rate = request_rate
        self._clients: dict[asyncio.Transport, str] = {}
        self._by_client: Counter[str] = Counter()
        self._idle: dict[asyncio.Transport, None] = {}
        """The connections without a request that was sent whole, the one that waits longest first."""
        self._heads: dict[asyncio.Transport, str] = {}
        self._heads_by_client: Counter[str] = Counter()
        self.refusing = 0
        """Connections that were refused and are not closed yet."""

    def refusal(self, address: tuple[str, int] | None) -> bytes | None:
        """Return the status to refuse a new connection with, and count it; None if it may stay."""
        client, limits = client_of(address), self.limits
        if len(self._clients) >= limits.connections_total and not self._idle:
            return self.refused("connections_total", BUSY)
        if self._heads_by_client[client] >= limits.heads_per_client:
            return self.refused("heads_per_client", TOO_MANY)
        if address is not None and self._is_proxy(address[0]):
            return None
        if self._by_client[client] >= limits.connections_per_client:
            return self.refused("connections_per_client", TOO_MANY)
        if self._request_rate is not None and self._request_rate.wait_s(client):
            return self.refused("requests_per_s", TOO_MANY)  # its request would be: it is not read at all
        return None

    def enter(self, transport: asyncio.Transport, address: tuple[str, int] | None) -> bytes | None:
        """Count a new connection, whose first request is awaited; return the status to refuse it with at a limit."""
        status = self.refusal(address)
        if status is not None:
            return status
        if len(self._clients) >= self.limits.connections_total:
            self._close_an_idle_one()
        client = client_of(address)
        self._clients[transport] = client
        self._by_client[client] += 1
        self._metrics.connections.set(len(self._clients))
        self.head_begun(transport)
        return None

    def _close_an_idle_one(self) -> None:
        """Close the connection that has waited longest without a whole request."""
        transport = next(iter(self._idle))
        self.leave(transport)
        transport.abort()
        self.refused("connections_total", BUSY)

    def leave(self, transport: asyncio.Transport) -> None:
        """Count a connection that `enter` let in as gone."""
        self.head_ended(transport)
        self._idle.pop(transport, None)
        client = self._clients.pop(transport, None)
        if client is not None:
            _decrease(self._by_client, client)
            self._metrics.connections.set(len(self._clients))

    def head_begun(self, transport: asyncio.Transport) -> None:
        """Count a request that is awaited, or half sent."""
        client = self._clients.get(transport)
        if client is not None and transport not in self._heads:
            self._idle.setdefault(transport)
            self._heads[transport] = client
            self._heads_by_client[client] += 1

    def idle(self, transport: asyncio.Transport) -> None:
        """Count a connection whose request was answered: it may be closed where room is needed."""
        if transport in self._clients:
            self._idle[transport] = None

    def head_ended(self, transport: asyncio.Transport) -> None:
        """Count a request that was sent whole."""
        self._idle.pop(transport, None)
        client = self._heads.pop(transport, None)
        if client is not None:
            _decrease(self._heads_by_client, client)

    def refused(self, limit: str, status: bytes) -> bytes:
        """Count a refusal at this limit; return the status."""
        self._metrics.refused.labels(limit).inc()
        return status


def refusal_of(status: bytes) -> bytes:
    """Return the whole response of a refused connection."""
    return REFUSAL % (status, RETRY_S)


def _decrease(counter: Counter[str], client: str) -> None:
    counter[client] -= 1
    if not counter[client]:
        del counter[client]


class JoinedWrites:
    """The transport of one response, whose head waits for the beginning of its body: both are one packet."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._head: bytes | None = None
        """None before it is written, empty once it is sent."""

    def write(self, data: bytes) -> None:
        """Write the next piece; the first is the head."""
        if self._head is None:
            self._head = data
            return
        head, self._head = self._head, b""
        self._transport.write(head + data if head else data)

    def close(self) -> None:
        """Close, after what was written."""
        if self._head:
            self._transport.write(self._head)
        self._transport.close()

    def is_closing(self) -> bool:
        """Return True if nothing more is sent."""
        return self._transport.is_closing()


def protocols(connections: Connections) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """Return uvicorn's protocols of HTTP and WebSocket, which count their connections here."""

    class Http(HttpToolsProtocol):
        """HTTP whose heads and requests have a size and a time."""

        _timer: asyncio.TimerHandle | None = None
        _head_bytes = 0
        _refused = False

        def connection_made(self, transport: Any) -> None:
            status = connections.enter(transport, get_remote_addr(transport))
            super().connection_made(transport)
            if status is not None:
                self._refuse(status)
            else:
                self._wait(connections.limits.head_timeout_s, self._head_is_late)

        def data_received(self, data: bytes) -> None:
            if self._refused:
                return
            if self._is_idle and not self._head_bytes:
                connections.head_begun(self.transport)
                self._wait(connections.limits.head_timeout_s, self._head_is_late)
            self._head_bytes += len(data)
            most = connections.limits.body_bytes
            if self._is_idle and self._head_bytes > most and data.find(HEAD_END, 0, most) < 0:
                self._refuse(connections.refused("body_bytes", TOO_LARGE))
                return
            super().data_received(data)

        def on_headers_complete(self) -> None:
            self._head_bytes = 0
            connections.head_ended(self.transport)
            self._wait(connections.limits.request_timeout_s, self._request_is_late)
            super().on_headers_complete()

        def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
            if cycle.scope["method"] != "HEAD" and not cycle.waiting_for_100_continue:
                cycle.transport = JoinedWrites(cycle.transport)  # type: ignore[assignment]
            super()._start_asgi_task(cycle, app)

        def on_response_complete(self) -> None:
            self._head_bytes = 0
            self._stop()
            super().on_response_complete()
            if self._is_idle:
                connections.idle(self.transport)
            else:  # a pipelined request has begun
                self._wait(connections.limits.request_timeout_s, self._request_is_late)

        def handle_websocket_upgrade(self) -> None:
            self._stop()
            super().handle_websocket_upgrade()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop()
            connections.leave(self.transport)
            super().connection_lost(exc)

        @property
        def _is_idle(self) -> bool:
            return self.cycle is None or self.cycle.response_complete

        def _wait(self, seconds: float, late: Callable[[], None]) -> None:
            self._stop()
            self._timer = self.loop.call_later(seconds, late)

        def _stop(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _head_is_late(self) -> None:
            self._refuse(connections.refused("head_timeout_s", LATE))

        def _request_is_late(self) -> None:
            connections.refused("request_timeout_s", LATE)
            self.transport.abort()

        def _refuse(self, status: bytes) -> None:
            """Answer, and close once that can have been read: bytes that nobody reads would cut the answer off."""
            self._refused = True
            self._stop()
            self.transport.write(refusal_of(status))
            if connections.refusing < MAX_REFUSING and self.transport.can_write_eof():
                connections.refusing += 1
                self.transport.write_eof()
                self.loop.call_later(REFUSING_S, self._close)
            else:
                self.transport.close()

        def _close(self) -> None:
            connections.refusing -= 1
            self.transport.close()

    class WebSocket(WebSocketsSansIOProtocol):
        """A WebSocket whose connection was counted when it was HTTP."""

        def connection_lost(self, exc: Exception | None) -> None:
            connections.leave(self.transport)
            super().connection_lost(exc)

    return Http, WebSocket
