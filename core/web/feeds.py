"""What watchers of a match are sent: read, put into words and encoded once for all who are to get the same."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from sys import getsizeof

from attrs import define, field, frozen

from ..host.watching import unsubscribe_later
from ..stores import FINISHED
from .context import AppContext
from .http_codec import encode_json
from .kept import Kept
from .trust_presenter import ended_response

Kind = tuple[str | None, str, int]
"""Those who are sent the same: their key, their language, and the event from which on."""
MAX_EVENTS = 200
"""The most events that are read before the public facts are read again."""
MAX_ASIDES = 8
KEPT_BYTES = 8 << 20
"""How much of what watchers of all matches are sent is kept."""


@frozen
class Batch:
    """The public facts of a match and the events from a number on, each a message."""

    about: str
    events: tuple[str, ...]
    is_all: bool
    """Whether there are no more events yet."""
    is_finished: bool
    """Whether the match is over or was abandoned."""
    ended: str
    """What is told of the end, under its mark; empty before it, and for a match without marks."""

    @property
    def size_bytes(self) -> int:
        """About how much memory it takes."""
        return sum(map(getsizeof, (self, self.about, *self.events, self.ended)))

    @property
    def is_last(self) -> bool:
        """Whether nothing can follow."""
        return self.is_all and self.is_finished

    def messages(self, *, with_about: bool) -> Iterator[tuple[str, bool]]:
        """Yield what to send, in order, and of each whether it is an event."""
        if with_about:
            yield self.about, False
        for event in self.events:
            yield event, True
        if self.is_last and self.ended:
            yield self.ended, False


@define(eq=False)
class Watcher:
    """One who watches a match; `changed` is set after each change, once what it waits for has been read."""

    changed: asyncio.Event = field(factory=asyncio.Event)
    waits_for: Kind | None = None
    batch: Batch | None = None
    """What was read for it, be it that more has happened since: then it is told again."""
    asides: list[str] = field(factory=list)
    """Messages that stand in no log, to be sent once; the latest `MAX_ASIDES`."""

    async def wait(self, kind: Kind) -> Batch | None:
        """Wait for a change; return what is to be sent of it to this kind, None if that has to be read."""
        self.waits_for, self.batch = kind, None
        await self.changed.wait()
        self.waits_for = None
        return self.batch


class Feed:
    """One match, and those who watch it; what one of them has read is kept until the match changes."""

    def __init__(self, context: AppContext, match: str, kept: Kept[Batch]) -> None:
        self._context = context
        self._match = match
        self._kept = kept
        self._loop = asyncio.get_running_loop()
        self._now = object()
        """Another one after each change: what was read before it is asked for no more."""
        self._reading: dict[Kind, asyncio.Task[Batch]] = {}
        self._telling: asyncio.Task[None] | None = None
        self.watchers: set[Watcher] = set()
        self.subscribing = asyncio.ensure_future(
            context.host.threads.call(context.host.subscribe, match, self._changed_elsewhere)
        )

    async def read(self, key: str | None, lang: str, since: int) -> Batch:
        """Return what the key's seat is sent from event `since` on; raises what the host raises.

        Two keys share nothing, so that whoever holds a revoked one is refused.
        """
        kind = key, lang, since
        kept, reading = self._kept.get((self._now, kind)), self._reading.get(kind)
        if kept is not None:
            return kept
        if reading is None:
            reading = self._reading[kind] = asyncio.ensure_future(self._context.call("feed", self._read, *kind))
            reading.add_done_callback(partial(self._keep, self._now, kind))
        return await asyncio.shield(reading)

    def _keep(self, then: object, kind: Kind, reading: asyncio.Task[Batch]) -> None:
        """Keep what was read, unless the match has changed meanwhile."""
        if self._now is then:
            del self._reading[kind]
        if not reading.cancelled() and reading.exception() is None and self._now is then:
            self._kept.put((then, kind), reading.result(), reading.result().size_bytes)

    def _read(self, key: str | None, lang: str, since: int) -> Batch:
        about = self._context.host.about(self._match)
        entries = self._context.host.history(self._match, key, since, MAX_EVENTS + 1)
        presenter = self._context.presenter_of(about, lang)
        shown = presenter.history(entries[:MAX_EVENTS])
        ending = self._context.host.ending(self._match, key) if about.status in FINISHED else None
        return Batch(
            about=encode_json({"about": presenter.about()}).decode(),
            events=tuple(encode_json({"event": each}).decode() for each in shown),
            is_all=len(entries) <= MAX_EVENTS,
            is_finished=about.status in FINISHED,
            ended="" if ending is None else encode_json({"ended": ended_response(ending)}).decode(),
        )

    def _changed_elsewhere(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._change)

    def _change(self) -> None:
        self._reading, self._now = {}, object()
        if self._telling is None or self._telling.done():
            self._telling = asyncio.ensure_future(self._tell())

    def tell(self, message: str) -> None:
        """Send all watchers a message that stands in no log."""
        for watcher in self.watchers:
            watcher.asides = [*watcher.asides, message][-MAX_ASIDES:]
            watcher.changed.set()

    async def _tell(self) -> None:
        """Read what the watchers wait for, then wake them: of thousands none has to wait for the reading by itself."""
        told = None
        while told is not self._now:
            told = self._now
            kinds = [kind for kind in {watcher.waits_for for watcher in self.watchers} if kind is not None]
            batches = await asyncio.gather(*(self.read(*kind) for kind in kinds), return_exceptions=True)
            ready = {kind: each for kind, each in zip(kinds, batches, strict=True) if isinstance(each, Batch)}
            for watcher in self.watchers:
                watcher.batch = None if watcher.waits_for is None else ready.get(watcher.waits_for)
                watcher.changed.set()


class Feeds:
    """The feeds of all matches that are watched."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._feeds: dict[tuple[asyncio.AbstractEventLoop, str], Feed] = {}
        self._kept: Kept[Batch] = Kept(KEPT_BYTES)

    def tell(self, match: str, message: str) -> None:
        """Send all who watch a match here a message that stands in no log."""
        for (loop, watched), feed in list(self._feeds.items()):
            if watched == match and not loop.is_closed():
                loop.call_soon_threadsafe(feed.tell, message)

    @asynccontextmanager
    async def watch(self, match: str) -> AsyncIterator[tuple[Feed, Watcher]]:
        """Yield the feed of a match, and a watcher that is told of each change; raises `NoMatch` or `StoreError`."""
        place = asyncio.get_running_loop(), match
        feed = self._feeds.get(place) or self._feeds.setdefault(place, Feed(self._context, match, self._kept))
        watcher = Watcher()
        feed.watchers.add(watcher)
        try:
            await asyncio.shield(feed.subscribing)
            yield feed, watcher
        finally:
            feed.watchers.discard(watcher)
            if not feed.watchers:
                if self._feeds.get(place) is feed:
                    del self._feeds[place]
                unsubscribe_later(feed.subscribing)
