"""What computes for long, one piece at a time: of two clients the one that has used less comes first."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, TypeVar

from attrs import define, field

from ...host.threads import THREADS, Threads
from .rate_limits import MAX_CLIENTS

A = TypeVar("A")


@define
class _Client:
    """The work of one client that waits, and the seconds that it has used since it came."""

    waiting: deque[asyncio.Future[None]] = field(factory=deque)
    used_s: float = 0.0


class FairLane:
    """One thread for all clients. It belongs to the event loop that calls it, and so needs no lock."""

    def __init__(self, clock: Callable[[], float] = monotonic, threads: Threads = THREADS) -> None:
        self._clock = clock
        self._thread = threads.executor(1, "kifu heavy")
        self._clients: dict[str, _Client] = {}
        self._busy = False

    async def run(self, client: str, function: Callable[..., A], *args: Any) -> A:
        """Call a function in the thread when the client's turn comes; return its value."""
        await self._wait(client)
        loop, began_s = asyncio.get_running_loop(), self._clock()

        def ended() -> None:
            self._done(client, self._clock() - began_s)

        try:
            work = self._thread.submit(function, *args)
        except RuntimeError:  # no thread is available
            ended()
            raise
        work.add_done_callback(lambda _: loop.call_soon_threadsafe(ended))  # also where the client has gone meanwhile
        return await asyncio.wrap_future(work)

    @asynccontextmanager
    async def turn(self, client: str) -> AsyncIterator[None]:
        """Wait for the client's turn, which lasts as long as the context."""
        await self._wait(client)
        began_s = self._clock()
        try:
            yield
        finally:
            self._done(client, self._clock() - began_s)

    async def _wait(self, client: str) -> None:
        mine = self._clients.setdefault(client, _Client(used_s=self._least()))
        if not self._busy:
            self._busy = True
            return
        turn = asyncio.get_running_loop().create_future()
        mine.waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                mine.waiting.remove(turn)
            else:  # it was its turn already
                self._done(client, 0)
            raise

    def _least(self) -> float:
        """Return what the most modest client has used: a new one begins there, and cannot save up."""
        return min((each.used_s for each in self._clients.values()), default=0.0)

    def _done(self, client: str, seconds: float) -> None:
        """Count what was used, and let the next one begin."""
        self._clients[client].used_s += seconds
        waiting = [each for each in self._clients.values() if each.waiting]
        if not waiting:
            self._busy = False
            self._clients.clear()
            return
        if len(self._clients) > MAX_CLIENTS:  # forget what those have used who wait no more
            self._clients = {name: each for name, each in self._clients.items() if each.waiting}
        min(waiting, key=lambda each: each.used_s).waiting.popleft().set_result(None)
