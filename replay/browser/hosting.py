"""A host with its app in a browser: live matches against bots, or at one screen, without a server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from secrets import token_bytes, token_hex
from typing import Any

from ...core.errors import MatchError
from ...core.game import Seat
from ...core.host import Host, Terms
from ...core.host.threads import InlineThreads
from ...core.log import log_bytes, read_bytes
from ...core.match.engine import engine_name
from ...core.match.fork import check_fork, fork_match
from ...core.match.header import SEED_BYTES, Fork
from ...core.trust.formulas import SECRET_BYTES
from ...core.web import app
from ...core.web.limits.rate_limits import Limits
from ...games.bots.levels import easy, normal
from ..call_errors import UserMessage
from .bridge import Answer, Bridge, Socket
from .kept_store import KeptStore

MANY = 1_000_000
LIMITS = Limits(
    requests_per_s=MANY,
    request_burst=MANY,
    opens_per_s=MANY,
    open_burst=MANY,
    joins_per_s=MANY,
    join_burst=MANY,
    bot_matches_per_client=MANY,
)
"""Those that bound strangers alone are lifted: everybody here is the owner."""
KEPT_S = 0.25
"""How often it is looked whether bots have changed what is to be kept."""

Keep = Callable[[dict[str, bytes | None]], Awaitable[bool]]
"""Keeps the values of matches, and forgets those of None; returns whether the browser has, which it tells its owner."""


class Hosting:
    """A host over what is kept, its app, and the bots that play there."""

    def __init__(self, kept: Mapping[str, bytes], keep: Keep) -> None:
        """Begin with what was kept; `keep` is awaited with what is to be kept next."""
        self._store = KeptStore(kept)
        self.unreadable = self._store.unreadable
        self._keep = keep
        self._keeping = asyncio.Lock()
        bots = {"normal": normal(token_bytes(SEED_BYTES)), "easy": easy(token_bytes(SEED_BYTES))}
        self._host = Host(self._store, bots=bots, threads=InlineThreads())
        self._bridge = Bridge(app(self._host, bots=tuple(bots), limits=LIMITS))
        self._sockets: dict[int, Socket] = {}
        self._tasks = [asyncio.ensure_future(self._host.run_here()), asyncio.ensure_future(self._keep_on())]

    async def request(self, method: str, target: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
        """Answer a request to the HTTP API; what it has changed is kept by then, where the browser keeps it."""
        answer = await self._bridge.request(method, target, headers, body)
        await self._flush()
        return answer

    def watch(
        self,
        number: int,
        target: str,
        headers: Mapping[str, str],
        receive: Callable[[str], object],
        closed: Callable[[int, str], object],
    ) -> None:
        """Open a WebSocket under this number."""

        def forget(code: int, reason: str) -> None:
            self._sockets.pop(number, None)
            closed(code, reason)

        self._sockets[number] = self._bridge.socket(target, headers, receive, forget)

    def send(self, number: int, text: str) -> None:
        """Send a message through a WebSocket; nothing happens if it has ended."""
        if number in self._sockets:
            self._sockets[number].send(text)

    def leave(self, number: int) -> None:
        """End a WebSocket."""
        if number in self._sockets:
            self._sockets[number].close()

    async def play_on(self, log: bytes, events: int, seat: int, bot: str | None) -> dict[str, Any]:
        """Begin a match with the first events of a log; return it, and the keys of the seats that people play.

        With a bot, it plays all seats but one; without, all are played at this screen. No seat signs there: the keys of
        a log's players are not here. Raises `LogError` if anything is wrong with the log, `MatchError` if it cannot be
        played on from there.
        """
        reading = read_bytes(log)
        if not reading.ok or reading.match is None:
            raise reading.error()
        seats = range(len(reading.match.header.seats))
        if seat not in seats:
            english = "there is no seat {seat}: seats are 0 to {last}"
            raise MatchError(UserMessage("no-such-seat", english, seat=seat, last=seats[-1]))
        check_fork(reading.match, events)
        more = (("veil", token_bytes(SECRET_BYTES)),)
        origin = Fork(reading.match.header.match, events - 1)
        fork = fork_match(reading.match, token_hex(8), origin, engine=engine_name(), more=more)
        terms = Terms(bots={} if bot is None else {Seat(each): bot for each in seats if each != seat})
        opened = self._host.import_log(log_bytes(fork), terms)
        await self._flush()
        return {"match": opened.match, "keys": list(opened.keys)}

    async def close(self) -> None:
        """Stop the bots, and keep what is left to keep."""
        for task in self._tasks:
            task.cancel()
        await self._flush()

    async def _keep_on(self) -> None:
        while True:
            await asyncio.sleep(KEPT_S)
            await self._flush()

    async def _flush(self) -> None:
        async with self._keeping:
            unkept = self._store.take_unkept()
            if unkept and not await self._keep(unkept):
                self._store.give_back(unkept)
