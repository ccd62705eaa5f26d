"""Turns of the event loop for those who have much to send: others wait for a few of them, not for all."""

from __future__ import annotations

import asyncio
from collections import deque
from weakref import WeakKeyDictionary

AT_ONCE = 4
"""How many go on in one turn of the event loop."""
PAUSE_S = 0.001
"""How long the loop is left to others between two turns while more wait than go on in one."""


class Turns:
    """Whoever waits to go on, first come, first served; of each event loop by itself."""

    def __init__(self) -> None:
        self._waiting: WeakKeyDictionary[asyncio.AbstractEventLoop, deque[asyncio.Future[None]]] = WeakKeyDictionary()

    async def mine(self) -> None:
        """Wait for a turn: the next one, if few wait."""
        loop = asyncio.get_running_loop()
        waiting, turn = self._waiting.setdefault(loop, deque()), loop.create_future()
        waiting.append(turn)
        if len(waiting) == 1:
            loop.call_soon(self._next, loop, waiting)
        await turn

    def _next(self, loop: asyncio.AbstractEventLoop, waiting: deque[asyncio.Future[None]]) -> None:
        for _ in range(min(AT_ONCE, len(waiting))):
            turn = waiting.popleft()
            if not turn.done():  # else its connection is gone
                turn.set_result(None)
        if len(waiting) > AT_ONCE:
            loop.call_later(PAUSE_S, self._next, loop, waiting)
        elif waiting:
            loop.call_soon(self._next, loop, waiting)
