"""Admission: how many requests are served at the same time, of a client, of a match, and in all.

A limit that is reached is answered at once, by 429 or 503 with `Retry-After`. The work of the host runs in threads,
in lanes that do not wait for each other: reads go on while all writes wait for a disk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any, Literal, TypeVar

from attrs import define, field

from ...host.threads import THREADS, Threads
from ..http_codec import RequestError
from ..metrics import Metrics
from .counts import Counts
from .rate_limits import Limits

A = TypeVar("A")
Lane = Literal["read", "write", "feed", "health"]
LANES: dict[Lane, int] = {"read": 24, "write": 8, "feed": 4, "health": 2}
"""The threads of each lane; what changes a match needs none (`Host.soon`). What is read for watchers waits behind no
request."""
THREADS_PER_MATCH = 4
"""The most threads that work at one match, or wait for its lock; further requests wait without one."""
RETRY_S = 1


def _forget_failure(rest: asyncio.Future[Any]) -> None:
    """Take what failed as told: asyncio would log what nobody awaits, with the words that its message names."""
    _ = rest.cancelled() or rest.exception()


@define(eq=False)
class _MatchQueue:
    """The requests to one match: how many there are, how many of them are aside, and the threads they may hold."""

    waiting: int = 0
    aside: int = 0
    threads: asyncio.Semaphore = field(factory=lambda: asyncio.Semaphore(THREADS_PER_MATCH))


_at: ContextVar[_MatchQueue | None] = ContextVar("at", default=None)
"""The requests to the match that this one is for."""


class Admission:
    """The requests that are being served, against the limits."""

    def __init__(self, limits: Limits, metrics: Metrics, threads: Threads = THREADS) -> None:
        self._limits = limits
        self._metrics = metrics
        self._requests = Counts()
        self._aside = 0
        self._queues: dict[tuple[asyncio.AbstractEventLoop, str], _MatchQueue] = {}
        self._lanes = {lane: threads.executor(size, f"kifu {lane}") for lane, size in LANES.items()}

    def enter(self, client: str) -> None:
        """Count a request until it leaves; raises `RequestError` at a limit."""
        if self._requests[client] >= self._limits.requests_in_flight_per_client:
            raise self.refused("requests_in_flight_per_client", "too-many")
        if self._requests.in_all - self._aside >= self._limits.requests_in_flight:
            raise self.refused("requests_in_flight", "busy")
        self._requests.enter(client)
        self._metrics.in_flight.set(self._requests.in_all)

    def leave(self, client: str) -> None:
        """Count a request as answered that entered."""
        self._requests.leave(client)
        self._metrics.in_flight.set(self._requests.in_all)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Wait for an event, or for the client to send or read: meanwhile the request counts as its client's alone."""
        queue = _at.get()
        self._aside += 1
        if queue is not None:
            queue.aside += 1
        try:
            yield
        finally:
            self._aside -= 1
            if queue is not None:
                queue.aside -= 1

    async def at(self, match: str, serve: Callable[[], Awaitable[A]]) -> A:
        """Serve a request to a match, whose threads take turns; raises `RequestError` if there are too many already."""
        place = asyncio.get_running_loop(), match
        queue = self._queues.setdefault(place, _MatchQueue())
        if queue.waiting - queue.aside >= self._limits.requests_in_flight_per_match:
            raise self.refused("requests_in_flight_per_match", "busy")
        queue.waiting += 1
        token = _at.set(queue)
        try:
            return await serve()
        finally:
            _at.reset(token)
            queue.waiting -= 1
            if not queue.waiting:
                del self._queues[place]

    async def run(self, lane: Lane, function: Callable[..., A], *args: Any) -> A:
        """Call a function in a thread of this lane, in its turn at the match; return its value."""
        queue = _at.get()
        async with nullcontext() if queue is None else queue.threads:
            return await self._run(lane, function, *args)

    async def _run(self, lane: Lane, function: Callable[..., A], *args: Any) -> A:
        work = self._lanes[lane].submit(function, *args)
        try:
            return await asyncio.wrap_future(work)
        except asyncio.CancelledError:
            if not work.cancelled():  # its thread goes on: what it holds is free once it has ended
                rest = asyncio.wrap_future(work)
                rest.add_done_callback(_forget_failure)
                await asyncio.wait([rest])
            raise

    def refused(self, limit: str, kind: str, wait_s: float = RETRY_S - 1) -> RequestError:
        """Count a refusal at this limit; return the error, with the seconds to wait."""
        self._metrics.refused.labels(limit).inc()
        return RequestError(kind, headers={"Retry-After": str(int(wait_s) + 1)})
