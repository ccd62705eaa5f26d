"""Work with threads of its own, so much of it at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Lock

from .threads import Threads


class BoundedThreads:
    """Threads for what takes long: the next one starts when one ends, or has taken so long that it may never end."""

    def __init__(
        self, threads: Threads, most: int, patience_s: float, name: str, freed: Callable[[], None] = lambda: None
    ) -> None:
        """Run at most `most` at a time; one that has run for longer than `patience_s` seconds counts no more.

        `freed` is called after each.
        """
        self._threads, self._most, self._patience_s, self._name = threads, most, patience_s, name
        self._freed = freed
        self._lock = Lock()  # held for moments
        self._waiting: deque[Callable[[], None]] = deque()
        self._began_s: dict[Callable[[], None], float] = {}

    @property
    def room(self) -> int:
        """How many more would start at once; below 0 if some wait."""
        with self._lock:
            return self._room(self._threads.monotonic()) - len(self._waiting)

    def _room(self, now_s: float) -> int:
        return self._most - sum(now_s - began_s < self._patience_s for began_s in self._began_s.values())

    def start(self, work: Callable[[], None]) -> None:
        """Do work once there is room."""
        with self._lock:
            self._waiting.append(work)
        self.go_on()

    def go_on(self) -> None:
        """Start what there is room for."""
        with self._lock:
            now_s, starting = self._threads.monotonic(), list[Callable[[], None]]()
            while self._waiting and self._room(now_s) > 0:
                starting.append(self._waiting.popleft())
                self._began_s[starting[-1]] = now_s
        for work in starting:
            try:
                self._threads.start(lambda work=work: self._run(work), self._name)  # type: ignore[misc]
            except Exception:  # none is available: the next call tries again
                with self._lock:
                    del self._began_s[work]
                    self._waiting.append(work)

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        finally:
            with self._lock:
                del self._began_s[work]
            self.go_on()
            self._freed()
