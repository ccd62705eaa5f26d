"""What watchers of a match are sent: read, put into words and encoded once for all who are to get the same."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from attrs import frozen

from ..host.watching import unsubscribe_later
from .context import AppContext
from .http_codec import encode_json
from .trust_presenter import ended_response

MAX_EVENTS = 200
"""The most events that are read before the public facts are read again."""


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


class Feed:
    """One match, and those who watch it; what one of them has read is kept until the match changes."""

    def __init__(self, context: AppContext, match: str) -> None:
        self._context = context
        self._match = match
        self._loop = asyncio.get_running_loop()
        self._batches: dict[tuple[str | None, str, int], asyncio.Task[Batch]] = {}
        self.listeners: set[asyncio.Event] = set()
        self.subscribing = asyncio.ensure_future(
            asyncio.to_thread(context.host.subscribe, match, self._changed_elsewhere)
        )

    async def read(self, key: str | None, lang: str, since: int) -> Batch:
        """Return what the key's seat is sent from event `since` on; raises what the host raises.

        Two keys share nothing, so that whoever holds a revoked one is refused.
        """
        kind = key, lang, since
        reading = self._batches.get(kind)
        if reading is None:
            reading = asyncio.ensure_future(self._context.call("read", self._read, key, lang, since))
            reading.add_done_callback(lambda task: self._keep_no_failure(kind, task))
            self._batches[kind] = reading
        return await asyncio.shield(reading)

    def _keep_no_failure(self, kind: tuple[str | None, str, int], reading: asyncio.Task[Batch]) -> None:
        if (reading.cancelled() or reading.exception() is not None) and self._batches.get(kind) is reading:
            del self._batches[kind]

    def _read(self, key: str | None, lang: str, since: int) -> Batch:
        about = self._context.host.about(self._match)
        entries = self._context.host.history(self._match, key, since)
        presenter = self._context.presenter_of(about, lang)
        shown = presenter.history(entries[:MAX_EVENTS])
        ending = self._context.host.ending(self._match, key) if about.status in ("over", "abandoned") else None
        return Batch(
            about=encode_json({"about": presenter.about()}).decode(),
            events=tuple(encode_json({"event": each}).decode() for each in shown),
            is_all=len(entries) <= MAX_EVENTS,
            is_finished=about.status in ("over", "abandoned"),
            ended="" if ending is None else encode_json({"ended": ended_response(ending)}).decode(),
        )

    def _changed_elsewhere(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._change)

    def _change(self) -> None:
        self._batches.clear()
        for listener in self.listeners:
            listener.set()


class Feeds:
    """The feeds of all matches that are watched."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._feeds: dict[tuple[asyncio.AbstractEventLoop, str], Feed] = {}

    @asynccontextmanager
    async def watch(self, match: str) -> AsyncIterator[tuple[Feed, asyncio.Event]]:
        """Yield the feed of a match, and an event that is set after each change; raises `NoMatch` or `StoreError`."""
        place = asyncio.get_running_loop(), match
        feed = self._feeds.get(place) or self._feeds.setdefault(place, Feed(self._context, match))
        changed = asyncio.Event()
        feed.listeners.add(changed)
        try:
            await asyncio.shield(feed.subscribing)
            yield feed, changed
        finally:
            feed.listeners.discard(changed)
            if not feed.listeners:
                if self._feeds.get(place) is feed:
                    del self._feeds[place]
                unsubscribe_later(feed.subscribing)
