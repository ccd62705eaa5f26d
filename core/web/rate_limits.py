"""Limits of what one client may do: sizes, rates and watchers."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from time import monotonic

from attrs import define, field, frozen

MAX_CLIENTS = 10_000


@frozen
class Limits:
    """The limits of one client, which is an IP address; of IPv6, a /64."""

    body_bytes: int = 64 * 1024
    """Bytes of a request's body, and of a watcher's first message."""
    requests_per_s: float = 50.0
    """Requests a second, in the long run."""
    request_burst: int = 400
    """Requests at once, after a rest."""
    opens_per_s: float = 1.0
    """New matches a second, in the long run."""
    open_burst: int = 60
    """New matches at once, after a rest."""
    watches_per_client: int = 64
    """Matches that one client watches at the same time."""
    watches_total: int = 5000
    """Watchers of all clients together."""
    wait_s: float = 50.0
    """Seconds that a request may wait for an event."""
    message_timeout_s: float = 15.0
    """Seconds that a watcher may take to read one message, and to send its first."""


@define
class RateLimiter:
    """A token bucket for each client: `rate` tokens a second, at most `size`."""

    rate: float
    size: float
    clock: Callable[[], float] = monotonic
    _left: dict[str, tuple[float, float]] = field(factory=dict, init=False)

    def acquire(self, client: str) -> float:
        """Take a token and return 0; if there is none, return the seconds until there is one."""
        now_s = self.clock()
        left, then_s = self._left.get(client, (self.size, now_s))
        left = min(self.size, left + (now_s - then_s) * self.rate)
        if left < 1:
            return (1 - left) / self.rate
        if len(self._left) >= MAX_CLIENTS:
            self._drop_full(now_s)
        self._left[client] = (left - 1, now_s)
        return 0.0

    def _drop_full(self, now_s: float) -> None:
        """Drop the buckets that are full by now; all of them if that is not enough."""
        fill_s = self.size / self.rate
        self._left = {client: entry for client, entry in self._left.items() if now_s - entry[1] < fill_s}
        if len(self._left) >= MAX_CLIENTS:
            self._left.clear()


def client_of(scope_client: tuple[str, int] | None) -> str:
    """Return the name of a client: its IPv4 address, or its IPv6 network of 64 bits, as one household has."""
    if scope_client is None:
        return "nobody"
    try:
        address = ip_address(scope_client[0])
    except ValueError:
        return "nobody"  # a proxy may pass on anything
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or f"{IPv6Address(int(address) >> 64 << 64)}/64")
    return str(address)
