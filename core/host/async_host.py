"""A host for an async program: each method awaited, the event loop never blocked."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import wraps
from threading import Event
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from ..stores.store import Store
from .fair_deal import Renew, Reveal
from .host import Host
from .lifecycle import Join, RemovePlayer, RotateKeys
from .projections import HistoryEntry
from .proposals import Abandon, Accept, ForceAbandon, Fork, Reject, TakeBack, Undo
from .submission import Submit
from .writer import MatchChange, as_method

LOGGER = logging.getLogger("kifu.host")
PAUSE_S = 5.0
"""How long the scheduler rests after a failure that it did not expect."""
P = ParamSpec("P")
T = TypeVar("T")


def _change(kind: Callable[P, MatchChange[T]]) -> Callable[Concatenate[AsyncHost, P], Coroutine[Any, Any, T]]:
    """Return the method that makes a change of this kind, awaited without a thread that waits (`Host.ado`)."""

    async def change(self: AsyncHost, /, *args: P.args, **more: P.kwargs) -> T:
        return await self.host.ado(kind(*args, **more))

    as_method(cast("type[MatchChange[T]]", kind), change)
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

    `async with AsyncHost(store) as host` runs its scheduler besides, for bots and turn limits. A call that is cancelled
    may still be carried out: the same idempotency key again gives the receipt.
    """

    def __init__(self, served: Host | Store, **settings: Any) -> None:
        """Serve a store with the settings of a `Host`, or what a host serves."""
        self.host = served if isinstance(served, Host) else Host(served, **settings)
        """The host itself."""
        self._stop = Event()
        self._running: Any = None

    async def __aenter__(self) -> AsyncHost:
        """Run the scheduler, in a thread of its own."""
        self._stop.clear()
        self._running = self.host.threads.start(self._schedule, "kifu scheduler")
        return self

    def _schedule(self) -> None:
        while not self._stop.is_set():
            try:
                self.host.run_scheduler(self._stop)
            except Exception as error:  # a failing store must not end it
                LOGGER.error("scheduling failed", exc_info=error)
                self._stop.wait(PAUSE_S)

    async def __aexit__(self, *error: object) -> None:
        """Stop the scheduler, and wait for what it does."""
        self._stop.set()
        await asyncio.to_thread(self._running.join)

    open = _read(Host.open)
    import_log = _read(Host.import_log)
    about = _read(Host.about)
    lobby = _read(Host.lobby)
    seat = _read(Host.seat)
    observe = _read(Host.observe)
    history = _read(Host.history)
    moment = _read(Host.moment)
    ending = _read(Host.ending)
    record = _read(Host.record)
    log = _read(Host.log)
    export_log = _read(Host.export_log)
    consent_message = _read(Host.consent_message)
    subscribe = _read(Host.subscribe)

    join = _change(Join)
    remove_player = _change(RemovePlayer)
    renew = _change(Renew)
    reveal = _change(Reveal)
    submit = _change(Submit)
    take_back = _change(TakeBack)
    undo = _change(Undo)
    fork = _change(Fork)
    abandon = _change(Abandon)
    accept = _change(Accept)
    reject = _change(Reject)
    force_abandon = _change(ForceAbandon)
    rotate_keys = _change(RotateKeys)

    def follow(
        self, match: str, key: str | None = None, since: int = 0, timeout_ms: int | None = None
    ) -> AsyncIterator[HistoryEntry]:
        """Yield what a seat sees from event `since` on, as it happens, until the match has ended (`Host.follow`)."""
        return self.host.follow(match, key, since, timeout_ms)
