"""Limits of what clients may do: sizes, rates, connections, requests at the same time, matches, watchers."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from time import monotonic

from attrs import asdict, define, field, frozen

from ...errors import MatchError, Message

MAX_CLIENTS = 10_000
MAX_ADDRESS = 100
"""A longer text is no address."""


@frozen
class Limits:
    """The limits of one process; those of a client are of its IP address, of IPv6 of its /64."""

    body_bytes: int = 64 * 1024
    """Bytes of a request's body, of its head, and of a watcher's first message."""
    lines_per_request: int = 1000
    """Header lines of a request, and chunks of its body."""
    requests_per_s: float = 50.0
    """Requests of a client a second, in the long run."""
    request_burst: int = 400
    """Requests of a client at once, after a rest."""
    opens_per_s: float = 1.0
    """New matches of a client a second, in the long run; a fork counts as one, and one more for each hundred events."""
    open_burst: int = 60
    """New matches of a client at once, after a rest."""
    joins_per_s: float = 0.2
    """Seats that a client takes a second, in the long run."""
    join_burst: int = 20
    """Seats that a client takes at once, after a rest."""
    reactions_per_s: float = 0.2
    """Reactions of a seat a second, in the long run."""
    reaction_burst: int = 3
    """Reactions of a seat at once, after a rest."""
    bot_matches_per_client: int = 8
    """Matches with bots that a client has opened and that go on."""
    bots_alone_share: float = 0.5
    """Seconds a second that bots may think in all matches that nobody else plays; others come first."""
    requests_in_flight: int = 512
    """Requests of all clients that are being served at the same time."""
    requests_in_flight_per_client: int = 64
    """Requests of one client that are being served at the same time."""
    requests_in_flight_per_match: int = 128
    """Requests to one match that are being served or wait for their turn."""
    connections_total: int = 8000
    """Connections of all clients; fewer if the process may not open as many files."""
    connections_per_client: int = 256
    """Connections of one client, unless it is a trusted proxy."""
    heads_per_client: int = 64
    """Connections of one client, unless it is a trusted proxy, that have not sent a whole request yet."""
    head_timeout_s: float = 10.0
    """Seconds that the head of a request may take."""
    request_timeout_s: float = 60.0
    """Seconds that a request may take, with its body and its response."""
    watches_per_client: int = 64
    """Matches that one client watches at the same time."""
    watch_frames_per_s: float = 2.0
    """Frames of a watcher a second, in the long run: it has nothing to say after its first message but pings."""
    watch_frames_burst: int = 60
    """Frames of a watcher at once, after a rest."""
    watches_total: int = 5000
    """Watchers of all clients together; at most three quarters of the connections."""
    wait_s: float = 50.0
    """Seconds that a request may wait for an event."""
    analyses_at_once: int = 1
    """Analyses of matches that are computed at the same time."""
    analyses_waiting: int = 16
    """Analyses that wait for their turn."""
    analyses_per_client: int = 3
    """Analyses of a client that wait or are computed."""
    analysis_s: float = 600.0
    """Seconds that an analysis may take; asked for again, it goes on."""
    analyses_kept: int = 200
    """Analyses that are kept, the latest; of a hundred decisions one takes about half a megabyte on the disk."""
    events_per_match: int = 10_000
    """Events of a match that goes on."""
    folded_bytes: int = 256 << 20
    """About how many bytes folded matches may take in memory; at most a quarter of the machine's."""
    message_timeout_s: float = 15.0
    """Seconds that a watcher may take to read one message, and to send its first."""


def changed_limits(settings: dict[str, str]) -> Limits:
    """Return the limits with these values by name; raises `MatchError` for an unknown name or a number below 0."""
    kinds = {name: type(default) for name, default in asdict(Limits()).items()}
    values: dict[str, float] = {}
    for name, text in settings.items():
        if name not in kinds:
            known = ", ".join(kinds)
            english = "there is no limit {name}; there are: {known}"
            raise MatchError(Message("no-such-limit", english, name=ascii(name), known=known))
        try:
            values[name] = kinds[name](text)
        except ValueError:
            values[name] = -1
        if not 0 < values[name] < 1e12:
            english = "the limit {name} is a number above 0, not {given}"
            raise MatchError(Message("limit-is", english, name=name, given=ascii(text)))
    return Limits(**values)  # type: ignore[arg-type]


@define
class RateLimiter:
    """A token bucket for each client: `rate` tokens a second, at most `size`."""

    rate: float
    size: float
    clock: Callable[[], float] = monotonic
    _left: dict[str, tuple[float, float]] = field(factory=dict, init=False)

    def acquire(self, client: str, tokens: float = 1) -> float:
        """Take tokens, at most a full bucket, and return 0; if there are fewer, return the seconds until there are."""
        now_s, tokens = self.clock(), min(tokens, self.size)
        left = self._tokens(client, now_s)
        if left < tokens:
            return (tokens - left) / self.rate
        self._set(client, left - tokens, now_s)
        return 0.0

    def spend(self, client: str, tokens: float) -> None:
        """Take tokens, also such as the client does not have: then it waits the longer for the next."""
        now_s = self.clock()
        self._set(client, max(self._tokens(client, now_s) - tokens, -self.size), now_s)

    def _set(self, client: str, left: float, now_s: float) -> None:
        if len(self._left) >= MAX_CLIENTS and client not in self._left:
            self._drop_fullest(now_s)
        self._left[client] = (left, now_s)

    def wait_s(self, client: str) -> float:
        """Return the seconds until a client has a token, 0 if it has one."""
        return max(0.0, (1 - self._tokens(client, self.clock())) / self.rate)

    def _tokens(self, client: str, now_s: float) -> float:
        left, then_s = self._left.get(client, (self.size, now_s))
        return min(self.size, left + (now_s - then_s) * self.rate)

    def _drop_fullest(self, now_s: float) -> None:
        """Drop the fuller half of the buckets: whoever has used up its own cannot have it forgotten."""
        emptiest = sorted(self._left, key=lambda client: self._tokens(client, now_s))[: MAX_CLIENTS // 2]
        self._left = {client: self._left[client] for client in emptiest if self._tokens(client, now_s) < self.size}


def client_of(scope_client: tuple[str, int] | None) -> str:
    """Return the name of a client: its IPv4 address, or its IPv6 network of 64 bits, as one household has."""
    return "nobody" if scope_client is None else _client_at(scope_client[0][:MAX_ADDRESS])


@lru_cache(maxsize=4096)
def _client_at(text: str) -> str:
    try:
        address = ip_address(text)
    except ValueError:
        return "nobody"  # a proxy may pass on anything
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or f"{IPv6Address(int(address) >> 64 << 64)}/64")
    return str(address)
