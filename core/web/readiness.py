"""Whether the server can do its work: a write that reaches the disk, how late the scheduler is, the open files."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from time import monotonic

from ..host import Host
from .http_codec import RequestError
from .limits.admission import Admission
from .metrics import Metrics
from .response_shapes import Ready

KEPT_S = 1.0
"""For how long an answer holds: however often it is asked for, no more is written."""
MAX_LATE_MS = 10_000
"""How late the scheduler may be."""


class Readiness:
    """The last answer to whether the server is ready."""

    def __init__(self, host: Host, admission: Admission, metrics: Metrics) -> None:
        self._host = host
        self._admission = admission
        self._metrics = metrics
        self._asking: asyncio.Task[Ready] | None = None
        self._asked_at_s = -KEPT_S

    async def check(self) -> Ready:
        """Return the state of the server; raises `StoreError`, or `RequestError` if it is late."""
        if self._asking is None or (self._asking.done() and monotonic() - self._asked_at_s > KEPT_S):
            self._asked_at_s = monotonic()
            self._asking = asyncio.ensure_future(self._admission.run("health", self._probe))
        ready = await asyncio.shield(self._asking)
        if ready.late_ms > MAX_LATE_MS:
            raise RequestError("late")
        return ready

    def _probe(self) -> Ready:
        late_ms = self._host.probe()
        open_files = _count(lambda: len(os.listdir("/proc/self/fd")))
        self._metrics.late_s.set(late_ms / 1000)
        self._metrics.open_files.set(open_files or 0)
        return Ready(status="ok", late_ms=late_ms, open_files=open_files)


def _count(function: Callable[[], int]) -> int | None:
    """Return a number, None where the system does not tell it."""
    try:
        return function()
    except OSError:
        return None
