"""What one client may take, and all together; and the budget of each client, by its address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from ipaddress import IPv6Address, IPv6Network, ip_address
from threading import Lock
from time import monotonic

from attrs import frozen


@frozen
class Limits:
    """The limits of one process; those of a client are of its network (`clients.networks_of`)."""

    processor_share: float = 0.1
    """Seconds of processor time a second that a client may take in the long run."""
    processor_burst_s: float = 5.0
    """Seconds of processor time that it may take at once, after a rest."""
    bytes_per_s: float = 1_000_000
    """Bytes a second that a client may be sent in the long run, with nothing else to pay for."""
    streams_per_client: int = 200
    """Streams of a client, and its requests that wait for an event, at the same time."""
    streams: int = 5000
    """The same of all clients; at most three quarters of the connections."""
    connections: int = 8000
    """Connections of all clients; fewer if the process may not open as many files."""
    bot_matches_per_client: int = 8
    """Matches with bots that a client has opened and that go on."""
    bots_alone_share: float = 0.5
    """Seconds a second that bots may think in all matches that nobody else plays; others come first."""
    analysis_s: float = 600.0
    """Seconds that an analysis may take; asked for again, it goes on."""
    analyses_kept: int = 200
    """Analyses that are kept, the latest; of a hundred decisions one takes about half a megabyte on the disk."""
    events_per_match: int = 10_000
    """Events of a match that goes on."""
    folded_bytes: int = 256 << 20
    """About how many bytes folded matches may take in memory; at most a quarter of the machine's."""


MAX_ADDRESS = 100
"""A longer text is no address."""
LARGER = ((56, 2), (48, 4))
"""The larger networks of an IPv6 address, and of how many clients together each may have the share."""
NOBODY = "nobody"
"""A client without an address of IP: at a socket of this machine, or named by a proxy as it likes."""


def client_of(address: tuple[str, int] | None) -> str:
    """Return the name of a client."""
    return NOBODY if address is None else _client_at(address[0][:MAX_ADDRESS])


@lru_cache(maxsize=4096)
def _client_at(text: str) -> str:
    try:
        address = ip_address(text)
    except ValueError:
        return NOBODY
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(IPv6Network((int(address) >> 64 << 64, 64)))
    return str(getattr(address, "ipv4_mapped", None) or address)


@lru_cache(maxsize=4096)
def networks_of(client: str) -> tuple[tuple[str, int], ...]:
    """Return the networks that a client is of, its own first, and of how many clients each may have the share."""
    if not client.endswith("/64"):
        return ((client, 1),)
    own = IPv6Network(client)
    return ((client, 1), *((str(own.supernet(new_prefix=bits)), share) for bits, share in LARGER))


def opener_of(client: str) -> str:
    """Return what the store keeps of a client that opens a match: a hash of its largest network.

    Bots of all that opens in it take turns with those of others.
    """
    return blake2b(networks_of(client)[-1][0].encode(), digest_size=8, person=b"kifu opener").hexdigest()


def is_local(client: str) -> bool:
    """Return True for a client of this machine, by its address; whoever has none may be anywhere."""
    return client.startswith("127.") or client == str(IPv6Network(("::", 64)))


class Counts(Counter[str]):
    """How many of something each network has; who has none takes no memory."""

    in_all = 0

    def has_room(self, client: str, most: int) -> bool:
        """Return whether a client, which may have so many, and each of its networks, may have one more."""
        return all(self[network] < most * share for network, share in networks_of(client))

    def enter(self, client: str) -> None:
        """Count one more."""
        self.in_all += 1
        for network, _ in networks_of(client):
            self[network] += 1

    def leave(self, client: str) -> None:
        """Count one less."""
        self.in_all -= 1
        for network, _ in networks_of(client):
            self[network] -= 1
            if not self[network]:
                del self[network]


MAX_CLIENTS = 10_000
OPENING_S = 0.1
"""What it costs besides to open a match, or to take a seat: the one stays on the disk, the other is somebody's."""


class Budget:
    """Seconds that each network has left, of those that come back by its share; it owes a burst at most."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = monotonic) -> None:
        self._share, self._burst_s, self._clock = limits.processor_share, limits.processor_burst_s, clock
        self._s_per_byte = limits.processor_share / limits.bytes_per_s
        self.most_wait_s = limits.processor_burst_s / limits.processor_share / 2
        """Who would wait longer owes half a burst, and is not even to wait."""
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = Lock()

    def spend(self, client: str, seconds: float, sent_bytes: int = 0) -> None:
        """Charge a client, and the networks that it is of."""
        cost_s, now_s = seconds + sent_bytes * self._s_per_byte, self._clock()
        with self._lock:
            for network, share in networks_of(client):
                left_s = max(self._left_s(network, share, now_s) - cost_s, -self._burst_s * share)
                self._left[network] = left_s, now_s
            if len(self._left) > MAX_CLIENTS:
                self._forget(now_s)

    def wait_s(self, client: str) -> float:
        """Return the seconds until a client is not over its budget, 0 if it is not."""
        now_s, wait_s = self._clock(), 0.0
        with self._lock:
            for network, share in networks_of(client):
                if network in self._left:  # of most nothing is known but what they have left
                    left_s, then_s = self._left[network]
                    wait_s = max(wait_s, then_s - now_s - left_s / (self._share * share))
        return wait_s

    def used_s(self, client: str) -> float:
        """Return what a client has used of its burst: of two, the one that has used less comes first."""
        now_s = self._clock()
        with self._lock:
            return max(self._burst_s - self._left_s(each, share, now_s) / share for each, share in networks_of(client))

    def _left_s(self, network: str, share: int, now_s: float) -> float:
        left_s, then_s = self._left.get(network, (self._burst_s * share, now_s))
        return min(self._burst_s * share, left_s + (now_s - then_s) * self._share * share)

    def _forget(self, now_s: float) -> None:
        """Forget the half that has most left: whoever has used up its own cannot have it forgotten."""
        fullest = sorted(self._left, key=lambda each: self._left[each][0] + (now_s - self._left[each][1]) * self._share)
        for network in fullest[MAX_CLIENTS // 2 :]:
            del self._left[network]
