"""What a host waits with: its locks, events and threads, in one place, where a simulation puts its own; its clock."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from threading import Event, Lock, Thread
from time import monotonic, monotonic_ns, time_ns
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Threads:
    """The locks, events and threads of the operating system; a host waits through these alone."""

    def lock(self) -> Any:
        """Return a new lock, that of a match."""
        return Lock()

    def event(self) -> Any:
        """Return a new event."""
        return Event()

    def start(self, work: Callable[[], object], name: str) -> Any:
        """Start a thread; return it, with `join`. Raises `RuntimeError` if none is available."""
        thread = Thread(target=work, name=name, daemon=True)
        thread.start()
        return thread

    def executor(self, size: int, name: str) -> Any:
        """Return an executor of so many threads, a context manager that waits for them."""
        return ThreadPoolExecutor(size, name)

    async def call(self, function: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Call a function that may wait, without blocking the event loop; return its value."""
        return await asyncio.to_thread(function, *args, **more)

    def monotonic(self) -> float:
        """Return the seconds of a clock that never goes back."""
        return monotonic()


class InlineThreads(Threads):
    """None at all, for a place that has no second thread, as a browser: work is done where it is started.

    Nothing can wait there, so a wait ends at once. A bot that takes too long is not stopped.
    """

    def event(self) -> Any:
        """Return an event that waits for nothing."""
        return _InlineEvent()

    def start(self, work: Callable[[], object], name: str) -> Any:  # noqa: ARG002 (no thread has it)
        """Do work; there is nothing to join."""
        work()

    def executor(self, size: int, name: str) -> Any:  # noqa: ARG002
        """Return an executor that does what it is given at once."""
        return _InlineExecutor()

    async def call(self, function: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Call a function; return its value."""
        return function(*args, **more)


class _InlineEvent(Event):
    def wait(self, timeout: float | None = None) -> bool:  # noqa: ARG002
        return self.is_set()


class _InlineExecutor(Executor):
    def submit(self, function: Callable[P, T], /, *args: P.args, **more: P.kwargs) -> Future[T]:
        done: Future[T] = Future()
        try:
            done.set_result(function(*args, **more))
        except Exception as error:
            done.set_exception(error)
        return done


THREADS = Threads()


PATIENCE_NS = 1_000_000_000
"""The longest that an answer of the store may take for its time to count; but the first counts."""
PUT_BACK_NS = 10_000_000_000
"""If the store's clock is put back by more than this, this one goes on; by less, it stands still until they agree."""


processor_s: Callable[[], float] = getattr(time, "thread_time", time.process_time)
"""Returns the seconds of processor time of this thread; in a browser, of the program."""


class StoreClock:
    """What the store's clock showed when it was last asked, and what has gone by since: never more, and never less.

    The machine's own clock says only how wrong it is.
    """

    def __init__(
        self,
        read_store_ms: Callable[[], int],
        wall_ns: Callable[[], int] = time_ns,
        steady_ns: Callable[[], int] = monotonic_ns,
    ) -> None:
        self._read_store_ms, self._wall_ns, self._steady_ns = read_store_ms, wall_ns, steady_ns
        self._lock = Lock()
        self._ahead_ns: int | None = None
        """How far the store's clock is ahead of the steady one; None before it was asked."""
        self._last_ns = 0
        self.skew_ms = 0
        """How far the machine's clock, or this one, was ahead of the store's when that was last asked."""

    def __call__(self) -> int:
        """Return the milliseconds since the Unix epoch, never fewer than before; raises `StoreError` before any."""
        if self._ahead_ns is None:
            self.ask()
        with self._lock:
            assert self._ahead_ns is not None, "it was asked"
            self._last_ns = max(self._last_ns, self._steady_ns() + self._ahead_ns)
            return self._last_ns // 1_000_000

    def ask(self) -> None:
        """Ask the store; raises `StoreError`."""
        began_ns = self._steady_ns()
        store_ns = self._read_store_ms() * 1_000_000
        ended_ns = self._steady_ns()
        ahead_ns = store_ns - ended_ns  # at most: nobody's turn ends early
        with self._lock:
            self.skew_ms = (self._wall_ns() - store_ns) // 1_000_000
            is_prompt = ended_ns - began_ns <= PATIENCE_NS
            if self._ahead_ns is None or (is_prompt and ahead_ns > self._ahead_ns - PUT_BACK_NS):
                self._ahead_ns = ahead_ns
            elif is_prompt:  # for hosts that begin now, it is this one that is off
                self.skew_ms = max(self.skew_ms, (self._ahead_ns - ahead_ns) // 1_000_000)
