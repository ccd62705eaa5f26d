"""A clock that never goes back, so that no deadline waits for an hour that comes twice."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic_ns, time_ns

MAX_AHEAD_MS = 24 * 60 * 60 * 1000
"""How far it goes ahead of the wall's clock at most, whatever time a store has."""


class SteadyClock:
    """The wall's clock; where that is put back, this one goes on."""

    def __init__(self, wall_ns: Callable[[], int] = time_ns, steady_ns: Callable[[], int] = monotonic_ns) -> None:
        self._wall_ns, self._steady_ns = wall_ns, steady_ns
        self._lock = Lock()
        self._last_ns, self._read_ns = wall_ns(), steady_ns()

    def __call__(self) -> int:
        """Return the milliseconds since the Unix epoch, never fewer than before."""
        with self._lock:
            self._go_on()
            return self._last_ns // 1_000_000

    def advance(self, seen_ms: int) -> None:
        """Go on from a time that another host, or this one before it was started again, has noted."""
        with self._lock:
            self._go_on()
            if seen_ms * 1_000_000 - self._wall_ns() <= MAX_AHEAD_MS * 1_000_000:
                self._last_ns = max(self._last_ns, seen_ms * 1_000_000)

    def _go_on(self) -> None:
        """Count what has gone by since it was last read."""
        read_ns = self._steady_ns()
        self._last_ns = max(self._wall_ns(), self._last_ns + read_ns - self._read_ns)
        self._read_ns = read_ns
