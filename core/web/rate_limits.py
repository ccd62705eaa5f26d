"""How much one client may ask: sizes, rates and watchers."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from time import monotonic

from attrs import define, field, frozen

FORGET_AT = 10_000


@frozen
class Limits:
    """What one client may ask of the web; a client is an address, of IPv6 its /64."""

    body_bytes: int = 64 * 1024
    """Bytes of a request's body, and of a watcher's message."""
    requests_per_s: float = 50.0
    """Requests a second that are answered for long …"""
    request_burst: int = 400
    """… and at once, after a rest."""
    opens_per_s: float = 1.0
    """Matches a second that are opened for long …"""
    open_burst: int = 60
    """… and at once."""
    watches_per_client: int = 64
    """Matches that one client watches at the same time."""
    watches_total: int = 5000
    """Watchers of all clients together."""
    message_timeout_s: float = 15.0
    """Seconds that a watcher may take for one message, and to say who it is."""


@define
class RateLimiter:
    """Tokens that fill up again with time, a bucket for each client."""

    rate: float
    size: float
    clock: Callable[[], float] = monotonic
    _left: dict[str, tuple[float, float]] = field(factory=dict, init=False)

    def acquire(self, client: str) -> float:
        """Take a token; or tell in how many seconds there is one again."""
        now = self.clock()
        left, then = self._left.get(client, (self.size, now))
        left = min(self.size, left + (now - then) * self.rate)
        if left < 1:
            return (1 - left) / self.rate
        if len(self._left) >= FORGET_AT:
            self._forget(now)
        self._left[client] = (left - 1, now)
        return 0.0

    def _forget(self, now: float) -> None:
        """Drop the buckets that have filled up meanwhile; if that is none, all."""
        full = self.size / self.rate
        self._left = {client: kept for client, kept in self._left.items() if now - kept[1] < full}
        if len(self._left) >= FORGET_AT:
            self._left.clear()


def client_of(scope_client: tuple[str, int] | None) -> str:
    """Name a client by its address, of IPv6 by the network that one household has."""
    if scope_client is None:
        return "nobody"
    try:
        address = ip_address(scope_client[0])
    except ValueError:
        return "nobody"  # a proxy may pass on whatever it was told
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or f"{IPv6Address(int(address) >> 64 << 64)}/64")
    return str(address)
