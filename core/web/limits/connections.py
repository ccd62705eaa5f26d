"""The open connections of all clients, counted before a byte is read: half-sent requests are not held."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ..metrics import Metrics
from .counts import Counts
from .rate_limits import Limits, RateLimiter, client_of

REFUSAL = b"HTTP/1.1 %s\r\nRetry-After: %d\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
TOO_MANY, BUSY = b"429 Too Many Requests", b"503 Service Unavailable"
FLOODED = 4429
"""The close code of a watcher that sends more frames than its budget."""
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
        self._by_client = Counts()
        self._idle: dict[asyncio.Transport, None] = {}
        """The connections without a request that was sent whole, the one that waits longest first."""
        self._heads: dict[asyncio.Transport, str] = {}
        self._heads_by_client = Counts()
        self._refusing: set[Callable[[], None]] = set()
        """What closes the connections that were refused and may still read why."""

    def refusal(self, address: tuple[str, int] | None) -> bytes | None:
        """Return the status to refuse a new connection with, and count it; None if it may stay."""
        client, limits = client_of(address), self.limits
        if len(self._clients) >= limits.connections_total and not self._idle:
            return self.refused("connections_total", BUSY)
        if address is not None and self._is_proxy(address[0]):
            return None
        if self._heads_by_client[client] >= limits.heads_per_client:
            return self.refused("heads_per_client", TOO_MANY)
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
        self._by_client.enter(client)
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
            self._by_client.leave(client)
            self._metrics.connections.set(len(self._clients))

    def head_begun(self, transport: asyncio.Transport) -> None:
        """Count a request that is awaited, or half sent."""
        client = self._clients.get(transport)
        if client is not None and transport not in self._heads:
            self._idle.setdefault(transport)
            self._heads[transport] = client
            self._heads_by_client.enter(client)

    def idle(self, transport: asyncio.Transport) -> None:
        """Count a connection whose request was answered: it may be closed where room is needed."""
        if transport in self._clients:
            self._idle[transport] = None

    def head_ended(self, transport: asyncio.Transport) -> None:
        """Count a request that was sent whole."""
        self._idle.pop(transport, None)
        client = self._heads.pop(transport, None)
        if client is not None:
            self._heads_by_client.leave(client)

    def flooded(self, client: str) -> None:
        """Count a watcher that was closed for its frames: they cost its client as many requests, at once."""
        self.refused("watch_frames_per_s", b"")
        if self._request_rate is not None:
            self._request_rate.spend(client, self.limits.watch_frames_burst)

    def refused(self, limit: str, status: bytes) -> bytes:
        """Count a refusal at this limit; return the status."""
        self._metrics.refused.labels(limit).inc()
        return status

    def refuse(
        self, status: bytes, send: Callable[[bytes], object], end: Callable[[], object], close: Callable[[], None]
    ) -> None:
        """Send a refusal, and close once that can have been read: over bytes that nobody reads it would be cut off."""
        send(REFUSAL % (status, RETRY_S))
        if len(self._refusing) >= MAX_REFUSING:
            close()
            return
        end()
        self._refusing.add(close)
        asyncio.get_running_loop().call_later(REFUSING_S, self._end, close)

    def _end(self, close: Callable[[], None]) -> None:
        if close in self._refusing:
            self._refusing.discard(close)
            close()

    def close(self) -> None:
        """Close those that were refused."""
        for close in list(self._refusing):
            self._end(close)
