"""Who is to be woken when a match has changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from contextlib import suppress
from threading import Event, Lock, Thread, current_thread

Wake = Callable[[], None]
Look = Callable[[Collection[str]], Mapping[str, Hashable]]
"""Gives a stamp for each of these matches that may have changed: it differs from the one before if it has."""


class Wakes:
    """The wakes of one store, by match.

    `watch` learns what other programs change and rings for it: it runs in a thread from the first subscription on,
    until `stopped` is set.
    """

    def __init__(self, watch: Callable[[Wakes], None] | None = None) -> None:
        self.stopped = Event()
        self.wanted = Event()
        """Set for as long as anybody is subscribed."""
        self._watch = watch
        self._wakes: dict[str, list[Wake]] = {}
        self._stamps: dict[str, Hashable] = {}
        self._lock = Lock()
        self._thread: Thread | None = None

    def asked(self) -> set[str]:
        """Give the matches that somebody waits for."""
        with self._lock:
            return set(self._wakes)

    def subscribe(self, match: str, wake: Wake) -> Callable[[], None]:
        """Add a wake; the answer takes it away again."""

        def alone() -> None:
            wake()  # a place of its own in the list, however often the same function is given

        with self._lock:
            self._wakes.setdefault(match, []).append(alone)
            self.wanted.set()
            if self._watch is not None and self._thread is None and not self.stopped.is_set():
                self._thread = Thread(target=self._watch, args=(self,), daemon=True, name="kifu store wakes")
                self._thread.start()
        return lambda: self._forget(match, alone)

    def _forget(self, match: str, wake: Wake) -> None:
        with self._lock:
            left = [each for each in self._wakes.get(match, ()) if each is not wake]
            if left:
                self._wakes[match] = left
            else:
                self._wakes.pop(match, None)
            if not self._wakes:
                self.wanted.clear()

    def ring(self, match: str) -> None:
        """Call the wakes of a match, of which none can stop the others."""
        for wake in tuple(self._wakes.get(match, ())):
            with suppress(Exception):
                wake()

    def note(self, stamps: Mapping[str, Hashable]) -> None:
        """Ring for each match that has another stamp than when it was last looked at, or was not looked at yet."""
        asked = self.asked()
        self._stamps = {match: stamp for match, stamp in self._stamps.items() if match in asked}
        for match, stamp in stamps.items():
            if self._stamps.get(match) != stamp:
                self._stamps[match] = stamp
                self.ring(match)

    def ring_all(self) -> None:
        """Call all wakes: nobody knows what has changed."""
        for match in self.asked():
            self.ring(match)

    def close(self) -> None:
        """Call all wakes a last time and forget them; wait for the thread to end, unless a wake closes the store.

        Who waits learns by asking the store, which is closed by then.
        """
        with self._lock:
            last, self._wakes = self._wakes, {}
            self.stopped.set()
            self.wanted.set()
        for wake in (each for wakes in last.values() for each in wakes):
            with suppress(Exception):
                wake()
        if self._thread is not None and self._thread is not current_thread():
            self._thread.join()


def polling(look: Look, every: float) -> Callable[[Wakes], None]:
    """Make a watch that looks every so many seconds, while somebody waits."""

    def watch(wakes: Wakes) -> None:
        while not wakes.stopped.wait(every):
            wakes.wanted.wait()
            with suppress(Exception):  # the store fails: who uses it is told by what he calls, and we look again
                wakes.note(look(wakes.asked()))

    return watch
