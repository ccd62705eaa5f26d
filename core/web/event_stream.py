"""Watching: the events of a match as a seat sees them, and its public facts when they change (Server-Sent Events).

A watcher sends nothing. After a break it asks again, from the event on that it has not: by `since`, or by the header
`Last-Event-ID`, as an `EventSource` does.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import Any, TypeVar

from attrs import evolve
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ..errors import KeyRefused, KifuError, Message, NoMatch, Rewound
from . import access_log
from .context import AppContext, Asked, route
from .feeds import Batch, Feed, Kind, message_of
from .http_codec import RequestError, number_of
from .limits import Counts
from .request_shapes import EventsQuery

A = TypeVar("A")


async def while_connected(receive: Receive, work: Coroutine[Any, Any, A]) -> A:
    """Return what the work returns; where the client leaves before, cancel it and raise `ClientDisconnect`."""
    working, leaving = asyncio.create_task(work), asyncio.create_task(_until_gone(receive))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise ClientDisconnect
    finally:
        for each in (working, leaving):
            each.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _until_gone(receive: Receive) -> None:
    """Read on until the client has left; what it still sends is nothing to anybody."""
    while (await receive())["type"] != "http.disconnect":
        pass


HEARTBEAT_S = 15.0
MESSAGE_S = 15.0
"""How long a watcher may take to read what it is sent at a time."""
PAUSE_S = 0.001
"""How long the event loop is left to others before a watcher that catches up is sent more."""
HEARTBEAT = b":\n\n"
"""A comment, by which both ends see that the other is still there."""
RETRY_S = 5
AWAY_S = 10.0
"""How long somebody is gone before others are told: who loads the page anew is not."""
MAX_MATCHES = 10_000
AT_ONCE = 4
"""How many messages a watcher is sent at a turn: many that catch up would else delay moves."""
HEADERS = {
    "Content-Type": "text/event-stream",
    "X-Accel-Buffering": "no",  # nginx passes on each message as it comes
}


class Watchers:
    """The numbers of those who watch or wait for an event, of each client and in all, against their limits."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._watchers = Counts()

    @contextmanager
    def entered(self, client: str) -> Iterator[None]:
        """Count a watcher within the context; raises `RequestError` at a limit."""
        limits, work = self._context.limits, self._context.work
        if not self._watchers.has_room(client, limits.streams_per_client):
            raise work.refused("streams_per_client", "too-many", RETRY_S - 1)
        if self._watchers.in_all >= limits.streams:
            raise work.refused("streams", "busy", RETRY_S - 1)
        self._watchers.enter(client)
        self._context.metrics.watchers.set(self._watchers.in_all)
        try:
            yield
        finally:
            self._watchers.leave(client)
            self._context.metrics.watchers.set(self._watchers.in_all)


class Presence:
    """Which seats of a match watch it at this process, and since when those that have left are away: in no log.

    It says nothing of a seat that was never here, as after a restart.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._streams: Counter[tuple[str, int]] = Counter()
        self._left_s: dict[str, dict[int, float]] = {}

    @contextmanager
    def here(self, match: str, seat: int | None) -> Iterator[None]:
        """Count a seat as here within the context; a spectator is nobody."""
        if seat is None:
            yield
            return
        self._streams[match, seat] += 1
        try:
            yield
        finally:
            self._streams[match, seat] -= 1
            if not self._streams[match, seat]:
                del self._streams[match, seat]
            self._left_s.setdefault(match, {})[seat] = self._clock()
            if len(self._left_s) > MAX_MATCHES:
                del self._left_s[next(iter(self._left_s))]

    def away(self, match: str) -> dict[int, int]:
        """Return the seats that are away, and since when, in milliseconds since the Unix epoch."""
        left, until_s = self._left_s.get(match, {}).items(), self._clock() - AWAY_S
        away = [(seat, left_s) for seat, left_s in left if (match, seat) not in self._streams]
        return {seat: int(left_s * 1000) for seat, left_s in away if left_s < until_s}


@route("GET", "/api/matches/{match}/events", "text/event-stream", key="optional", problems=("rewound", "busy"))
async def watch(asked: Asked, query: EventsQuery) -> Response:
    """Return what a seat or a spectator is told, as it happens: a stream."""
    request, match = asked.request, asked.match
    state, last = request.app.state, request.headers.get("last-event-id")
    why = Message("last-event-id", "Last-Event-ID is the number of an event")
    kind = Kind(asked.key, asked.lang, query.since if last is None else number_of(last, why) + 1)
    if state.feeds.is_closed:
        raise RequestError("busy", headers={"Retry-After": "1"})
    async with AsyncExitStack() as held:
        held.enter_context(state.watchers.entered(asked.client))
        feed = await held.enter_async_context(state.feeds.watch(match))
        batch = await feed.read(kind, asked.client)
        if request.method == "HEAD" or (last is not None and batch.is_last and not batch.events):
            return Response(None, 200 if request.method == "HEAD" else 204, HEADERS)
        seat = None if kind.key is None else await asked.call(asked.context.host.seat, match, kind.key)
        held.enter_context(state.presence.here(match, seat))
        return EventStream(asked, feed, kind, batch, held.pop_all())


class EventStream(Response):
    """The response to a watcher, which goes on until the match ends, the client leaves, or is too slow."""

    def __init__(self, asked: Asked, feed: Feed, kind: Kind, first: Batch, held: AsyncExitStack) -> None:
        super().__init__(None, 200, HEADERS)
        del self.headers["content-length"]
        self._context, self._match, self._client = asked.context, asked.match, asked.client
        self._presence: Presence = asked.request.app.state.presence
        self._away: dict[int, int] = {}
        """Who is away, as the client was last told."""
        self._feed, self._kind, self._batch, self._held = feed, kind, first, held
        self._sent = 0
        """How many events were sent."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what there is, and what comes; log the watcher once it is gone."""
        began_s, end = time.perf_counter(), None
        async with self._held:
            try:
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                scope["state"]["answered"].close()  # for the gate, though it goes on for as long as the client stays
                await while_connected(receive, self._send_on(send))
                end = "over"
                await send({"type": "http.response.body", "body": b""})
            except TimeoutError:
                end = "slow"
            except (ClientDisconnect, OSError):
                pass
            except KifuError as error:  # what it is, the client is told when it comes again
                end = "refused" if isinstance(error, KeyRefused | NoMatch | Rewound) else "failed"
                if end == "failed":
                    access_log.failure("watching failed", error)
                await send({"type": "http.response.body", "body": b""})
            finally:
                self._note(scope["state"]["route"], time.perf_counter() - began_s, end)

    def _note(self, route: str, took_s: float, end: str | None) -> None:
        """Log a watcher that is gone: how many events it was sent, and how its stream ended (None: it left)."""
        values: dict[str, Any] = {"route": route, "ms": round(took_s * 1000, 2), "client": self._client}
        values |= {"events": self._sent, "match": self._match, **({} if end is None else {"end": end})}
        access_log.note("watched", **values)

    async def _send_on(self, send: Send) -> None:
        """Send batch after batch until nothing can follow; raises `TimeoutError` if the client reads too slowly."""
        batch: Batch | None = self._batch
        kind, about = self._kind, b""
        while batch is not None:
            has_news = batch.about != about or not batch.events  # a proposal changes the match, not its public facts
            await self._send_messages(send, batch.messages(with_about=has_news))
            about, kind = batch.about, evolve(kind, since=kind.since + len(batch.events))
            self._sent += len(batch.events)
            await self._tell_away(send)
            batch = None if batch.is_last else await self._next(send, batch, kind)

    async def _next(self, send: Send, batch: Batch, kind: Kind) -> Batch | None:
        """Wait for what comes next, with a sign of life now and then."""
        while True:
            waiting = asyncio.timeout(HEARTBEAT_S)
            try:
                async with waiting:
                    return await self._feed.after(batch, kind)
            except TimeoutError:
                if not waiting.expired():
                    raise
            if not await self._tell_away(send):
                await self._write(send, HEARTBEAT)

    async def _tell_away(self, send: Send) -> bool:
        """Send who is away, if that is another than the client was told last; return whether it was sent."""
        away = self._presence.away(self._match)
        if away == self._away:
            return False
        self._away = away
        await self._write(send, message_of({"away": away}))
        return True

    async def _send_messages(self, send: Send, messages: tuple[bytes, ...]) -> None:
        for begin in range(0, len(messages), AT_ONCE):
            if len(messages) > AT_ONCE:
                await asyncio.sleep(PAUSE_S)
            await self._write(send, b"".join(messages[begin : begin + AT_ONCE]))

    async def _write(self, send: Send, body: bytes) -> None:
        self._context.budget.spend(self._client, 0.0, len(body))
        async with asyncio.timeout(MESSAGE_S):
            await send({"type": "http.response.body", "body": body, "more_body": True})
