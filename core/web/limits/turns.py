"""Turns of the event loop: so many go on in one, of each client in turn; others wait for a few of them, not for all."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from weakref import WeakKeyDictionary

from attrs import define, field

AT_ONCE = 4
"""How many go on in one turn of the event loop."""
PAUSE_S = 0.001
"""How long the loop is left to others between two turns of those who have much to send, while many wait."""


@define(eq=False)
class _Line:
    """Who waits in one event loop, the client that went on last at the end; and how many have gone on in this turn."""

    clients: OrderedDict[str, deque[asyncio.Future[None]]] = field(factory=OrderedDict)
    gone_on: int = 0


class Turns:
    """Whoever waits to go on, each client's in turn; of each event loop by itself."""

    def __init__(self, pause_s: float = 0.0) -> None:
        self._pause_s = pause_s
        self._lines: WeakKeyDictionary[asyncio.AbstractEventLoop, _Line] = WeakKeyDictionary()

    async def mine(self, client: str) -> None:
        """Wait for a turn; in one in which few have gone on, go on at once."""
        loop = asyncio.get_running_loop()
        line = self._lines.setdefault(loop, _Line())
        if not line.gone_on:
            loop.call_soon(self._next, loop, line)
        if line.gone_on < AT_ONCE:
            line.gone_on += 1
            return
        turn = loop.create_future()
        line.clients.setdefault(client, deque()).append(turn)
        await turn

    def _next(self, loop: asyncio.AbstractEventLoop, line: _Line) -> None:
        line.gone_on = 0
        while line.clients and line.gone_on < AT_ONCE:
            client, waiting = line.clients.popitem(last=False)
            turn = waiting.popleft()
            if waiting:
                line.clients[client] = waiting
            if not turn.done():  # else whoever waited is gone
                turn.set_result(None)
                line.gone_on += 1
        if line.clients and self._pause_s:
            loop.call_later(self._pause_s, self._next, loop, line)
        elif line.gone_on:
            loop.call_soon(self._next, loop, line)
