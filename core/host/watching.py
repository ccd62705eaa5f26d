"""Watching: pages of the history of a seat; and callbacks after each change, which may call the host."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from ..stores.store import Store
from .context import HostContext
from .metadata import checked_int
from .projections import PAGE_EVENTS, HistoryEntry, history
from .threads import Threads

Callback = Callable[[], None]


class Notifier:
    """Callbacks, called one after the other in a thread of their own; a callback stands in its queue at most once.

    A store may notify while the host holds the lock of a match. A callback run there and then, which calls the host,
    would wait for that lock for ever.
    """

    def __init__(self, threads: Threads) -> None:
        self._calling = threads.executor(1, "kifu host callbacks")
        self._due: set[Callback] = set()

    def subscribe(self, store: Store, match: str, callback: Callback) -> Callable[[], None]:
        """Call `callback` from another thread after each change of the match. Returns a function that unsubscribes."""
        own = partial(callback)  # an object of its own, however often the same function is given
        unsubscribe = store.subscribe(match, lambda: self._enqueue(own))

        def forget() -> None:
            unsubscribe()
            self._due.discard(own)

        return forget

    def _enqueue(self, callback: Callback) -> None:
        if callback in self._due:
            return
        self._due.add(callback)
        try:
            self._calling.submit(self._call, callback)
        except RuntimeError:  # no thread is available: the next change tries again
            self._due.discard(callback)

    def _call(self, callback: Callback) -> None:
        """Call a callback, unless it is forgotten."""
        if callback in self._due:
            self._due.discard(callback)
            with suppress(Exception):
                callback()


def page_after(context: HostContext, match: str, key: str | None, since: int) -> tuple[tuple[HistoryEntry, ...], bool]:
    """Return a page of what the seat saw from event `since` on, and whether nothing follows: the match has ended."""
    with context.shown(match) as live:
        page = history(live, live.seat_of(key), checked_int(since, "since"), PAGE_EVENTS)
        return page, live.is_finished and (not page or page[-1].seq + 1 == live.count)


def unsubscribe_later(subscribing: asyncio.Future[Callable[[], None]]) -> None:
    """Unsubscribe now, or once the subscription has been made after all."""

    def unsubscribe(subscribed: asyncio.Future[Callable[[], None]]) -> None:
        if not subscribed.cancelled() and subscribed.exception() is None:
            subscribed.result()()

    subscribing.add_done_callback(unsubscribe)
