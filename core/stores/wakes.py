"""Who is to be woken when a match has changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from contextlib import suppress
from threading import Event, Lock, Thread

Wake = Callable[[], None]
Look = Callable[[Collection[str]], Mapping[str, Hashable]]
"""Gives a stamp for each of these matches that may have changed: it differs from the one before if it has."""


class Wakes:
    """The wakes of one store, by match.

    With `look`, a thread that runs while anybody is subscribed asks it every `every` seconds what other programs have
    changed.
    """

    def __init__(self, look: Look | None = None, every: float = 0.02) -> None:
        self._look = look
        self._every = every
        self._wakes: dict[str, list[Wake]] = {}
        self._lock = Lock()
        self._watching: Thread | None = None
        self._stop = Event()

    def subscribe(self, match: str, wake: Wake) -> Callable[[], None]:
        """Add a wake; the answer takes it away again."""

        def alone() -> None:
            wake()  # a place of its own in the list, however often the same function is given

        with self._lock:
            self._wakes.setdefault(match, []).append(alone)
            if self._look is not None and self._watching is None:
                self._stop = Event()
                self._watching = Thread(target=self._watch, args=(self._look, self._stop), daemon=True)
                self._watching.start()
        return lambda: self._forget(match, alone)

    def _forget(self, match: str, wake: Wake) -> None:
        with self._lock:
            left = [each for each in self._wakes.get(match, ()) if each is not wake]
            if left:
                self._wakes[match] = left
            else:
                self._wakes.pop(match, None)
            if not self._wakes:
                self._stop.set()
                self._watching = None

    def ring(self, match: str) -> None:
        """Call the wakes of a match, of which none can stop the others."""
        for wake in tuple(self._wakes.get(match, ())):
            with suppress(Exception):
                wake()

    def ring_all(self) -> None:
        """Call all wakes: nobody knows what has changed."""
        for match in tuple(self._wakes):
            self.ring(match)

    def close(self) -> None:
        """Forget all wakes and wait for the thread to end."""
        with self._lock:
            self._wakes.clear()
            self._stop.set()
            watching, self._watching = self._watching, None
        if watching is not None:
            with suppress(RuntimeError):  # closed by a wake
                watching.join()

    def _watch(self, look: Look, stop: Event) -> None:
        stamps: dict[str, Hashable] = {}
        while not stop.is_set():
            with self._lock:
                asked = set(self._wakes)
            stamps = {match: stamp for match, stamp in stamps.items() if match in asked}
            with suppress(Exception):  # the store fails: its user is told by what he calls, and we look again
                for match, stamp in look(asked).items():
                    if stamps.get(match) != stamp:  # also at the first look: it may have changed since it was read
                        stamps[match] = stamp
                        self.ring(match)
            stop.wait(self._every)
