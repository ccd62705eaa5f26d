"""Who is to be woken when a match has changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from contextlib import suppress
from threading import Event, Lock, Thread, current_thread

Callback = Callable[[], None]
Look = Callable[[Collection[str]], Mapping[str, Hashable]]
"""Gives a stamp for each of these matches that may have changed: it differs from the one before if it has."""


class Subscriptions:
    """The wakes of one store, by match.

    `watch` learns what other programs change and rings for it: it runs in a thread from the first subscription on,
    until `stopped` is set.
    """

    def __init__(self, watch: Callable[[Subscriptions], None] | None = None) -> None:
        self.stopped = Event()
        self.wanted = Event()
        """Set for as long as anybody is subscribed."""
        self._watch = watch
        self._subscriptions: dict[str, list[Callback]] = {}
        self._stamps: dict[str, Hashable] = {}
        self._lock = Lock()
        self._thread: Thread | None = None

    def matches(self) -> set[str]:
        """Give the matches that somebody waits for."""
        with self._lock:
            return set(self._subscriptions)

    def subscribe(self, match: str, callback: Callback) -> Callable[[], None]:
        """Add a wake; the answer takes it away again."""

        def alone() -> None:
            callback()  # a place of its own in the list, however often the same function is given

        with self._lock:
            self._subscriptions.setdefault(match, []).append(alone)
            self.wanted.set()
            if self._watch is not None and self._thread is None and not self.stopped.is_set():
                self._thread = Thread(target=self._watch, args=(self,), daemon=True, name="kifu store wakes")
                self._thread.start()
        return lambda: self._forget(match, alone)

    def _forget(self, match: str, callback: Callback) -> None:
        with self._lock:
            left = [each for each in self._subscriptions.get(match, ()) if each is not callback]
            if left:
                self._subscriptions[match] = left
            else:
                self._subscriptions.pop(match, None)
            if not self._subscriptions:
                self.wanted.clear()

    def notify(self, match: str) -> None:
        """Call the wakes of a match, of which none can stop the others."""
        for callback in tuple(self._subscriptions.get(match, ())):
            with suppress(Exception):
                callback()

    def note(self, stamps: Mapping[str, Hashable]) -> None:
        """Ring for each match that has another stamp than when it was last looked at, or was not looked at yet."""
        asked = self.matches()
        self._stamps = {match: stamp for match, stamp in self._stamps.items() if match in asked}
        for match, stamp in stamps.items():
            if self._stamps.get(match) != stamp:
                self._stamps[match] = stamp
                self.notify(match)

    def notify_all(self) -> None:
        """Call all wakes: nobody knows what has changed."""
        for match in self.matches():
            self.notify(match)

    def close(self) -> None:
        """Call all wakes a last time and forget them; wait for the thread to end, unless a wake closes the store.

        Who waits learns by asking the store, which is closed by then.
        """
        with self._lock:
            last, self._subscriptions = self._subscriptions, {}
            self.stopped.set()
            self.wanted.set()
        for callback in (each for subscriptions in last.values() for each in subscriptions):
            with suppress(Exception):
                callback()
        if self._thread is not None and self._thread is not current_thread():
            self._thread.join()


def polling(poll: Look, every_s: float) -> Callable[[Subscriptions], None]:
    """Make a watch that looks every so many seconds, while somebody waits."""

    def watch(subscriptions: Subscriptions) -> None:
        while not subscriptions.stopped.wait(every_s):
            subscriptions.wanted.wait()
            with suppress(Exception):  # the store fails: who uses it is told by what he calls, and we look again
                subscriptions.note(poll(subscriptions.matches()))

    return watch
