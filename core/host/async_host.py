"""A host for an async program: each method awaited, the event loop never blocked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from .host import Host
from .projections import HistoryEntry

P = ParamSpec("P")
T = TypeVar("T")


def _change(
    method: Callable[Concatenate[Host, P], T],
) -> Callable[Concatenate[AsyncHost, P], Coroutine[Any, Any, T]]:
    """Return the method awaited without a thread that waits (`Host.soon`)."""

    @wraps(method)
    async def change(self: AsyncHost, /, *args: P.args, **more: P.kwargs) -> T:
        return await self.host.soon(method, *args, **more)

    return change


def _read(
    method: Callable[Concatenate[Host, P], T],
) -> Callable[Concatenate[AsyncHost, P], Coroutine[Any, Any, T]]:
    """Return the method awaited in a thread."""

    @wraps(method)
    async def read(self: AsyncHost, /, *args: P.args, **more: P.kwargs) -> T:
        return await asyncio.to_thread(method, self.host, *args, **more)

    return read


class AsyncHost:
    """A `Host` whose methods are awaited: `await host.submit(…)`; they take, return and raise what the host's do.

    A call that is cancelled may still be carried out: the same idempotency key again gives the receipt.
    """

    def __init__(self, host: Host) -> None:
        self.host = host
        """The host itself, for what is set up once: its scheduler, subscriptions, rules updates."""

    open = _read(Host.open)
    import_log = _read(Host.import_log)
    about = _read(Host.about)
    lobby = _read(Host.lobby)
    seat = _read(Host.seat)
    observe = _read(Host.observe)
    history = _read(Host.history)
    ending = _read(Host.ending)
    record = _read(Host.record)
    log = _read(Host.log)
    export_log = _read(Host.export_log)
    consent_message = _read(Host.consent_message)

    join = _change(Host.join)
    remove_player = _change(Host.remove_player)
    renew = _change(Host.renew)
    reveal = _change(Host.reveal)
    submit = _change(Host.submit)
    take_back = _change(Host.take_back)
    undo = _change(Host.undo)
    fork = _change(Host.fork)
    abandon = _change(Host.abandon)
    accept = _change(Host.accept)
    reject = _change(Host.reject)
    force_abandon = _change(Host.force_abandon)
    rotate_keys = _change(Host.rotate_keys)

    def follow(
        self, match: str, key: str | None = None, since: int = 0, timeout_ms: int | None = None
    ) -> AsyncIterator[HistoryEntry]:
        """Yield what a seat sees from event `since` on, as it happens, until the match has ended (`Host.follow`)."""
        return self.host.follow(match, key, since, timeout_ms)
