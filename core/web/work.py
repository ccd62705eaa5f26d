"""What is computed for requests, in threads: moves come first, then reads, then pages; clients take turns.

A client over its budget waits behind all others, and not for long. Each is charged what its work really took.
"""

from __future__ import annotations

import asyncio
from bisect import insort
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from enum import IntEnum
from functools import partial
from itertools import takewhile
from threading import Lock
from typing import Any, Literal, TypeVar

from attrs import define, frozen

from ..errors import KifuError
from ..host.threads import THREADS, Threads, processor_s
from ..stores import FINISHED
from .http_codec import RequestError
from .limits import MAX_CLIENTS, Budget, Counts, Limits, networks_of
from .metrics import Metrics

A = TypeVar("A")
Apart = Literal["feed", "arrivals", "health"]
APART: dict[Apart, int] = {"feed": 4, "arrivals": 2, "health": 2}
"""The threads of what waits behind no request: what is read for watchers, after a change and as they come; probes."""
AT_ONCE = 8
"""How much is computed at the same time; the interpreter computes one thing, the others wait for the store."""
PER_CLIENT, PER_MATCH, PER_DEBTOR, HEAVY_AT_ONCE = 2, 4, 1, 1
"""How much of it may be one client's, of one match, of all who are over their budgets, and pages."""
PATIENCE_S = 2.0
"""How long a client over its budget waits before it is refused."""
LATE_S = 20.0
"""How long any other one does."""
MAX_WAITING = 2000


class Kind(IntEnum):
    """What is asked for: the smaller number comes first."""

    MOVE = 0
    READ = 1
    HEAVY = 2


@frozen
class Asking:
    """Who asks for what, of which match."""

    client: str
    match: str = ""
    kind: Kind = Kind.READ


@define(eq=False)
class _Place:
    """A place in the queue."""

    asking: Asking
    turn: asyncio.Future[None]
    order: tuple[bool, int, int]
    """The smaller one comes first: by whether its client is over its budget, then by kind, then by how much of its
    network waited before it, as each network is served once a round."""
    bounds: dict[object, int]
    """What it counts for, and how much of that may run."""


class Work:
    """The threads that compute, and who waits for one of them."""

    def __init__(self, budget: Budget, metrics: Metrics, threads: Threads = THREADS) -> None:
        self._budget, self._metrics = budget, metrics
        self._threads = threads.executor(AT_ONCE, "kifu work")
        self._apart = {name: threads.executor(size, f"kifu {name}") for name, size in APART.items()}
        self._lock = Lock()
        self._waiting: list[_Place] = []
        """In order; who came first, among equals."""
        self._running: Counter[object] = Counter()
        """How much runs: in all, of each client, match and kind, and of those over their budgets."""

    async def run(self, asking: Asking, function: Callable[..., A], *args: Any) -> A:
        """Call a function in a thread, when the turn of the client comes who asks; return its value."""
        place = await self._begin(asking)
        try:
            work = self._threads.submit(self._charged, asking.client, function, args)
        except RuntimeError:  # no thread is available
            self._end(place)
            raise
        work.add_done_callback(lambda _: self._end(place))  # also where the client has gone meanwhile
        return await asyncio.wrap_future(work)

    async def apart(self, lane: Apart, function: Callable[..., A], *args: Any, client: str | None = None) -> A:
        """Call a function that waits behind no request; return its value. A client is charged, if one is given."""
        return await asyncio.wrap_future(self._apart[lane].submit(self._charged, client, function, args))

    async def move(self, client: str, function: Callable[..., Coroutine[Any, Any, A]], *args: Any) -> A:
        """Call an async function, which makes a move, when the turn of a client comes that is over its budget."""
        place = await self._begin(Asking(client, kind=Kind.MOVE))
        try:
            return await function(*args)
        finally:
            self._end(place)

    def refused(self, limit: str, kind: str, wait_s: float = 0.0) -> RequestError:
        """Count a refusal at this limit; return the error, with the seconds to wait."""
        self._metrics.refused.labels(limit).inc()
        return RequestError(kind, headers={"Retry-After": str(int(wait_s) + 1)})

    def exhausted(self, client: str) -> RequestError:
        """Return the refusal of a client over its budget."""
        return self.refused("processor_share", "too-many", self._budget.wait_s(client))

    def _charged(self, client: str | None, function: Callable[..., A], args: tuple[Any, ...]) -> A:
        began_s = processor_s()
        try:
            return function(*args)
        except SystemExit as exits:  # of a game's code: it would end the event loop
            raise RuntimeError(exits) from exits
        finally:
            if client is not None:
                self._budget.spend(client, processor_s() - began_s)

    async def _begin(self, asking: Asking) -> _Place:
        """Wait for a turn; raises `RequestError` if none comes in time."""
        is_over = self._budget.wait_s(asking.client) > 0
        network = networks_of(asking.client)[-1]
        turn = asyncio.get_running_loop().create_future()
        with self._lock:
            if len(self._waiting) >= MAX_WAITING:
                raise self.refused("waiting", "busy")
            before = sum(networks_of(each.asking.client)[-1] == network for each in self._waiting)
            order = is_over, asking.kind, before // network[1]
            place = _Place(asking, turn, order, _bounds(asking, is_over=is_over))
            insort(self._waiting, place, key=lambda each: each.order)
            self._next()
        try:
            async with asyncio.timeout(PATIENCE_S if is_over else LATE_S):
                await place.turn
        except BaseException as gone:
            self._give_up(place)
            if not isinstance(gone, TimeoutError):
                raise
            raise self.exhausted(asking.client) if is_over else self.refused("waiting", "busy") from None
        return place

    def _give_up(self, place: _Place) -> None:
        with self._lock:
            if place in self._waiting:
                self._waiting.remove(place)
                return
        self._end(place)  # it was its turn already

    def _end(self, place: _Place) -> None:
        with self._lock:
            self._running.subtract(place.bounds.keys())
            self._running += Counter()  # forgets who has nothing
            self._next()

    def _next(self) -> None:
        """Let those go on whose turn it is; called under the lock."""
        while self._running["all"] < AT_ONCE:
            fitting = filter(self._fits, self._waiting)
            if (first := next(fitting, None)) is None:
                return
            equals = takewhile(lambda each, order=first.order: each.order == order, fitting)  # type: ignore[misc]
            first = min((first, *equals), key=lambda each: self._budget.used_s(each.asking.client))
            self._waiting.remove(first)
            loop = first.turn.get_loop()
            if not loop.is_closed():
                self._running.update(first.bounds.keys())
                loop.call_soon_threadsafe(partial(_go_on, first.turn))

    def _fits(self, place: _Place) -> bool:
        return all(self._running[each] < most for each, most in place.bounds.items())


def _bounds(asking: Asking, *, is_over: bool) -> dict[object, int]:
    """Return what a place counts for, and how much of that may run."""
    bounds: dict[object, int] = {"all": AT_ONCE, ("client", asking.client): PER_CLIENT}
    if asking.match:
        bounds["match", asking.match] = PER_MATCH
    if is_over:
        bounds["over"] = PER_DEBTOR
    if asking.kind is Kind.HEAVY:
        bounds["heavy"] = HEAVY_AT_ONCE
    return bounds


def _go_on(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)


RETRY_S = 60


class BotMatches:
    """The running bot matches of each client, of those that were opened at this process."""

    def __init__(self, limits: Limits, work: Work, status: Callable[[str, str], Awaitable[str]]) -> None:
        self._most, self._work, self._status = limits.bot_matches_per_client, work, status
        self._opened: dict[str, str] = {}
        """The client of each match that goes on, the one that was opened first at the beginning."""
        self._counts = Counts()

    @asynccontextmanager
    async def room(self, client: str) -> AsyncIterator[None]:
        """Have room for one more, which is opened within the context; raises `RequestError` if there is none."""
        if not self._counts.has_room(client, self._most):
            await self._forget_ended(client)
        if not self._counts.has_room(client, self._most):
            raise self._work.refused("bot_matches_per_client", "bot-tables", RETRY_S - 1)
        self._counts.enter(client)
        try:
            yield
        finally:
            self._counts.leave(client)

    def note(self, client: str, match: str) -> None:
        """Count a match that the client has opened."""
        self._opened[match] = client
        self._counts.enter(client)
        if len(self._opened) > MAX_CLIENTS:
            self._counts.leave(self._opened.pop(next(iter(self._opened))))

    async def _forget_ended(self, client: str) -> None:
        """Count no more what has ended of the largest network that a client is of."""
        networks = {network for network, _ in networks_of(client)}
        for match, opener in list(self._opened.items()):
            if networks & {network for network, _ in networks_of(opener)} and not await self._is_running(client, match):
                self._counts.leave(self._opened.pop(match, opener))

    async def _is_running(self, client: str, match: str) -> bool:
        try:
            return await self._status(client, match) not in FINISHED
        except KifuError:
            return False
