"""What its operator asks a server: its metrics, and whether it can do its work.

That is a write that reaches the disk, and how late the scheduler is.
"""

from __future__ import annotations

import asyncio
import logging
from time import monotonic

from starlette.responses import Response

from ..errors import Message, StoreError
from . import access_log
from .context import AppContext, Asked, route
from .http_codec import RequestError
from .response_shapes import Health, Ready

KEPT_S = 1.0
"""For how long an answer holds: however often it is asked for, no more is written."""
PATIENCE_S = 3.0
"""How long a probe is waited for: a store that stands still is none that can be written to."""
MAX_LATE_MS = 10_000
"""How late the scheduler may be."""
LIVE_S = 60.0
"""For how long the store may be out of reach of a process that lives on: then a new one may reach it."""
MAX_SKEW_MS = 2_000
"""How far the machine's clock may be off before the log says so."""


class Readiness:
    """The last answer to whether the server is ready."""

    def __init__(self, context: AppContext) -> None:
        self._host, self._work, self._metrics = context.host, context.work, context.metrics
        self._asking: asyncio.Task[Ready] | None = None
        self._asked_at_s = -KEPT_S
        self._failed: StoreError | None = None
        """Why the last probe that came to its end failed; None if it did not."""
        self._reaching: asyncio.Task[None] | None = None
        self._unreached_since_s: float | None = None
        """Since when the store has been out of reach; None if it is not, or nobody has asked."""
        self._is_off = False

    async def check(self) -> Ready:
        """Return the state of the server; raises `StoreError`, or `RequestError` if it is late."""
        if self._asking is None or (self._asking.done() and monotonic() - self._asked_at_s > KEPT_S):
            self._asked_at_s = monotonic()
            self._asking = asyncio.ensure_future(self._work.apart("health", self._probe))
            self._asking.add_done_callback(self._note)
        asking, until_s = self._asking, self._asked_at_s + PATIENCE_S
        if not (await asyncio.wait([asking], timeout=max(0.0, until_s - monotonic())))[0]:
            raise self._failed or StoreError("of the host", Message("store-silent", "it does not answer"))
        ready = asking.result()
        if ready.late_ms > MAX_LATE_MS:
            raise RequestError("late")
        return ready

    async def check_live(self) -> None:
        """Raise `StoreError` if the store has been out of reach for a minute."""
        if self._reaching is None or self._reaching.done():
            self._reaching = asyncio.ensure_future(self._work.apart("health", self._host.reach))
        reaching = self._reaching  # another request may begin the next one meanwhile
        done, _ = await asyncio.wait([reaching], timeout=PATIENCE_S)
        if done and reaching.exception() is None:
            self._unreached_since_s = None
            return
        now_s = monotonic()
        self._unreached_since_s = self._unreached_since_s or now_s
        if now_s - self._unreached_since_s > LIVE_S:
            raise StoreError("of the host", Message("store-silent", "it does not answer"))

    def _note(self, asked: asyncio.Task[Ready]) -> None:
        failed = None if asked.cancelled() else asked.exception()
        self._failed = failed if isinstance(failed, StoreError) else None

    def _probe(self) -> Ready:
        late_ms = self._host.probe()
        self._metrics.late_s.set(late_ms / 1000)
        skew_ms = self._host.clock_skew_ms
        if (abs(skew_ms) > MAX_SKEW_MS) is not self._is_off:
            self._is_off = not self._is_off
            event = "this machine's clock is off" if self._is_off else "this machine's clock is right again"
            access_log.note(event, logging.WARNING, ms=skew_ms)
        return Ready(status="ok", late_ms=late_ms, clock_off_ms=skew_ms, epoch=self._host.epoch)


@route("GET", "/health", query=None)
@route("GET", "/health/live", query=None)
async def live(asked: Asked) -> Health:
    """Return `ok` if the process and its store answer."""
    await asked.request.app.state.readiness.check_live()
    return Health(status="ok")


@route("GET", "/health/ready", query=None, problems=("late",))
async def ready(asked: Asked) -> Ready:
    """Return the state of a server that can write and is in time."""
    try:
        state: Ready = await asked.request.app.state.readiness.check()
        return state
    except StoreError as failed:
        asked.request.state.cause = cause = access_log.cause_of(failed)
        raise RequestError("store", Message("store-fails", "the store fails: {cause}", cause=cause)) from failed


@route("GET", "/metrics", "text/plain", query=None, problems=("no-such-page",))
async def metrics(asked: Asked) -> Response:
    """Return the metrics for Prometheus."""
    return Response(asked.context.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
