"""Whether the server can do its work: a write that reaches the disk, how late the scheduler is, the open files."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from time import monotonic

from ..errors import Message, StoreError
from ..host import Host
from .http_codec import RequestError
from .limits.admission import Admission
from .metrics import Metrics
from .response_shapes import Ready

KEPT_S = 1.0
"""For how long an answer holds: however often it is asked for, no more is written."""
PATIENCE_S = 3.0
"""How long a probe is waited for: a store that stands still is none that can be written to."""
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
        self._failed: StoreError | None = None
        """Why the last probe that came to its end failed; None if it did not."""

    async def check(self) -> Ready:
        """Return the state of the server; raises `StoreError`, or `RequestError` if it is late."""
        if self._asking is None or (self._asking.done() and monotonic() - self._asked_at_s > KEPT_S):
            self._asked_at_s = monotonic()
            self._asking = asyncio.ensure_future(self._admission.run("health", self._probe))
            self._asking.add_done_callback(self._note)
        asking, until_s = self._asking, self._asked_at_s + PATIENCE_S
        if not (await asyncio.wait([asking], timeout=max(0.0, until_s - monotonic())))[0]:
            raise self._failed or StoreError("of the host", Message("store-silent", "it does not answer"))
        ready = asking.result()
        if ready.late_ms > MAX_LATE_MS:
            raise RequestError("late")
        return ready

    def _note(self, asked: asyncio.Task[Ready]) -> None:
        failed = None if asked.cancelled() else asked.exception()
        self._failed = failed if isinstance(failed, StoreError) else None

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
