"""What watchers of a match are sent: read, put into words and encoded once for all who are to get the same."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from sys import getsizeof

from attrs import field, frozen

from ..host.watching import unsubscribe_later
from ..stores import FINISHED
from .context import AppContext, Kept
from .http_codec import encode_json
from .presenters import ended_response
from .work import Apart

MAX_EVENTS = 200
"""The most events that are read before the public facts are read again."""
KEPT_BYTES = 8 << 20
"""How much of what watchers of all matches are sent is kept."""


@frozen
class Kind:
    """Those who are sent the same: their key, their language, and the event from which on.

    Two keys share nothing, so that whoever holds a revoked one is refused.
    """

    key: str | None = field(repr=False)
    lang: str
    since: int


@frozen
class Batch:
    """The public facts of a match and the events from a number on, each as a message of a stream."""

    moment: object
    """Another one after each change of the match."""
    about: bytes
    events: tuple[bytes, ...]
    is_all: bool
    """Whether there are no more events yet."""
    is_finished: bool
    """Whether the match is over or was abandoned."""
    ended: bytes
    """What is told of the end; empty before it."""

    @property
    def size_bytes(self) -> int:
        """About how much memory it takes."""
        return sum(map(getsizeof, (self, self.about, *self.events, self.ended)))

    @property
    def is_last(self) -> bool:
        """Whether nothing can follow."""
        return self.is_all and self.is_finished

    def messages(self, *, with_about: bool) -> tuple[bytes, ...]:
        """Return what to send, in order."""
        about = (self.about,) if with_about else ()
        return (*about, *self.events, *((self.ended,) if self.is_last else ()))


class Feed:
    """One match, and those who watch it; what one of them has read is kept until the match changes."""

    def __init__(self, context: AppContext, match: str, kept: Kept[Batch]) -> None:
        self._context = context
        self._match = match
        self._kept = kept
        self.moment = object()
        """Another one after each change of the match."""
        self._reading: dict[Kind, asyncio.Task[Batch]] = {}
        self._changed: dict[Kind | None, asyncio.Event] = {}
        """Set after the next change, for each kind once what it is sent is read: of thousands none reads by itself."""
        self.is_closed = False
        self.watchers = 0
        self._loop = asyncio.get_running_loop()
        subscribed = context.host.threads.call(context.host.subscribe, match, self._changed_elsewhere)
        self.subscribing = asyncio.ensure_future(subscribed)

    async def read(self, kind: Kind, client: str | None = None) -> Batch:
        """Return what these are sent, to a client that comes if one is given; raises what the host raises."""
        kept = self._kept.get((self.moment, kind))
        return await asyncio.shield(self._begin(kind, client)) if kept is None else kept

    def _begin(self, kind: Kind, client: str | None = None) -> asyncio.Task[Batch]:
        """Begin to read for these, unless somebody has."""
        if kind not in self._reading:
            lane: Apart = "feed" if client is None else "arrivals"
            reading = self._context.work.apart(lane, self._read, self.moment, kind, client=client)
            self._reading[kind] = asyncio.ensure_future(reading)
            self._reading[kind].add_done_callback(partial(self._keep, self.moment, kind))
        return self._reading[kind]

    def _keep(self, moment: object, kind: Kind, reading: asyncio.Task[Batch]) -> None:
        """Keep what was read, unless the match has changed meanwhile."""
        if self.moment is moment:
            del self._reading[kind]
        if not reading.cancelled() and reading.exception() is None and self.moment is moment:
            self._kept.put((moment, kind), reading.result(), reading.result().size_bytes)

    def _read(self, moment: object, kind: Kind) -> Batch:
        about = self._context.host.about(self._match)
        entries = self._context.host.history(self._match, kind.key, kind.since, MAX_EVENTS + 1)
        presenter = self._context.presenter_of(about, kind.lang)
        shown = presenter.history(entries[:MAX_EVENTS])
        is_finished = about.status in FINISHED
        ending = self._context.host.ending(self._match, kind.key) if is_finished else None
        ended = None if ending is None else ended_response(ending)
        return Batch(
            moment=moment,
            about=message_of({"about": presenter.about()}),
            events=tuple(b"id: %d\n" % each.seq + message_of({"event": each}) for each in shown),
            is_all=len(entries) <= MAX_EVENTS,
            is_finished=is_finished,
            ended=message_of({"ended": ended}) if is_finished else b"",
        )

    async def after(self, batch: Batch, kind: Kind) -> Batch | None:
        """Wait for a change since `batch`; return what these are sent then, None when nothing follows here."""
        if batch.is_all:
            await self.wait(batch.moment, kind)
        return None if self.is_closed else await self.read(kind)

    async def wait(self, moment: object, kind: Kind | None = None) -> None:
        """Wait for a change since a moment, and until these have been read for, unless nothing follows here."""
        if moment is self.moment and not self.is_closed:
            await self._changed.setdefault(kind, asyncio.Event()).wait()

    def _changed_elsewhere(self) -> None:
        self._loop.call_soon_threadsafe(self._change)

    def _change(self) -> None:
        self._reading, self.moment = {}, object()
        waiting, self._changed = self._changed, {}
        for kind, changed in waiting.items():
            if kind is None:
                changed.set()
            else:
                self._begin(kind).add_done_callback(lambda _, changed=changed: changed.set())  # type: ignore[misc]

    def close(self) -> None:
        """Tell all who wait that nothing follows here."""
        self.is_closed = True
        for changed in self._changed.values():
            changed.set()


def message_of(value: dict[str, object]) -> bytes:
    """Return a message of a stream; JSON has no line breaks."""
    return b"data: " + encode_json(value) + b"\n\n"


class Feeds:
    """The feeds of all matches that are watched."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._feeds: dict[tuple[asyncio.AbstractEventLoop, str], Feed] = {}
        self._kept: Kept[Batch] = Kept(KEPT_BYTES)
        self.is_closed = False

    @asynccontextmanager
    async def watch(self, match: str) -> AsyncIterator[Feed]:
        """Yield the feed of a match; raises `NoMatch` or `StoreError`."""
        place = asyncio.get_running_loop(), match
        feed = self._feeds.get(place) or self._feeds.setdefault(place, Feed(self._context, match, self._kept))
        feed.watchers += 1
        try:
            await asyncio.shield(feed.subscribing)
            yield feed
        finally:
            feed.watchers -= 1
            if not feed.watchers:
                if self._feeds.get(place) is feed:
                    del self._feeds[place]
                unsubscribe_later(feed.subscribing)

    def close(self) -> None:
        """End all streams, as the server stops: their watchers go on elsewhere."""
        self.is_closed = True
        for feed in self._feeds.values():
            feed.close()
