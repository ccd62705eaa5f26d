"""Watching a match: what a seat sees, event by event, as it happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from threading import Event

from .context import HostContext
from .projections import HistoryEntry, history

Subscribe = Callable[[str, Callable[[], None]], Callable[[], None]]
"""`Store.subscribe`, or a host's."""


def _after(context: HostContext, match: str, key: str | None, since: int) -> tuple[tuple[HistoryEntry, ...], bool]:
    """Tell what the seat saw from event `since` on, and whether anything can follow."""
    with context.locked(match) as live:
        return history(live, live.seat_of(key), since), live.row.status in ("over", "abandoned")


def watch(
    context: HostContext, match: str, key: str | None, since: int, timeout_ms: int | None
) -> Iterator[HistoryEntry]:
    """Give what the seat sees from event `since` on, and wait for more; until the match has ended.

    Ends too once nothing has happened for `timeout` milliseconds.
    """
    woken = Event()
    end = context.store.subscribe(match, woken.set)
    try:
        while True:
            woken.clear()
            new, over = _after(context, match, key, since)
            yield from new
            since += len(new)
            if over or not (new or woken.wait(None if timeout_ms is None else timeout_ms / 1000)):
                return
    finally:
        end()


async def follow(
    context: HostContext, match: str, key: str | None, since: int, timeout_ms: int | None
) -> AsyncIterator[HistoryEntry]:
    """Do the same for a program with an event loop, without keeping it from anything else."""
    async with change_event(context.store.subscribe, match) as woken:
        while True:
            woken.clear()
            new, over = await asyncio.to_thread(_after, context, match, key, since)
            for each in new:
                yield each
            since += len(new)
            if over:
                return
            if not new:
                try:
                    async with asyncio.timeout(None if timeout_ms is None else timeout_ms / 1000):
                        await woken.wait()
                except TimeoutError:
                    return


@asynccontextmanager
async def change_event(subscribe: Subscribe, match: str) -> AsyncIterator[asyncio.Event]:
    """Give an event of this loop that is set soon after each change of a match, and leave no subscription behind."""
    loop, woken = asyncio.get_running_loop(), asyncio.Event()

    def callback() -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(woken.set)

    subscribing = asyncio.ensure_future(asyncio.to_thread(subscribe, match, callback))
    try:
        end = await asyncio.shield(subscribing)
    except asyncio.CancelledError:  # who waits is gone, and the thread has not come back yet
        subscribing.add_done_callback(_end)
        raise
    try:
        yield woken
    finally:
        end()


def _end(subscribing: asyncio.Future[Callable[[], None]]) -> None:
    """End a subscription for which nobody waits any more."""
    if not subscribing.cancelled() and subscribing.exception() is None:
        subscribing.result()()
