"""The locks, events and threads of a host, in one place: a simulation of hosts puts its own there."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Condition, Event, Lock, Thread
from time import monotonic
from typing import Any


class Threads:
    """Those of the operating system; whatever a host waits for, it waits for through one of these."""

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

    def monotonic(self) -> float:
        """Return the seconds of a clock that never goes back."""
        return monotonic()


THREADS = Threads()
