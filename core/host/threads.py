"""The locks, events and threads of a host, in one place: a simulation of hosts puts its own there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from threading import Condition, Event, Lock, Thread
from time import monotonic
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

    def condition(self) -> Any:
        """Return a new condition."""
        return Condition()

    def start(self, work: Callable[[], object], name: str) -> Any:
        """Start a thread; return it, with `join` and `is_alive`. Raises `RuntimeError` if none is available."""
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

    def condition(self) -> Any:
        """Return a condition that waits for nothing."""
        return _InlineCondition()

    def start(self, work: Callable[[], object], name: str) -> Any:  # noqa: ARG002 (no thread has it)
        """Do work; return what has ended."""
        work()
        return _Ended()

    def executor(self, size: int, name: str) -> Any:  # noqa: ARG002
        """Return an executor that does what it is given at once."""
        return _InlineExecutor()

    async def call(self, function: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Call a function; return its value."""
        return function(*args, **more)


class _InlineEvent(Event):
    def wait(self, timeout: float | None = None) -> bool:  # noqa: ARG002
        return self.is_set()


class _InlineCondition(Condition):
    def wait(self, timeout: float | None = None) -> bool:  # noqa: ARG002
        return False


class _Ended:
    """A thread that has ended."""

    def is_alive(self) -> bool:
        return False

    def join(self, timeout: float | None = None) -> None: ...


class _InlineExecutor(Executor):
    def submit(self, function: Callable[P, T], /, *args: P.args, **more: P.kwargs) -> Future[T]:
        done: Future[T] = Future()
        try:
            done.set_result(function(*args, **more))
        except Exception as error:
            done.set_exception(error)
        return done


THREADS = Threads()
