"""Callbacks that are called when a match has changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from contextlib import suppress
from threading import Event, Lock, Thread, current_thread

Callback = Callable[[], None]
Poll = Callable[[Collection[str]], Mapping[str, Hashable]]
"""Returns stamps of these matches; a match has changed if its stamp differs from the one before."""


class Subscriptions:
    """The callbacks of one store, by match.

    `watch` notifies of changes by other processes. It runs in a thread, from the first subscription until `stopped` is
    set.
    """

    def __init__(self, watch: Callable[[Subscriptions], None] | None = None) -> None:
        self.stopped = Event()
        self.wanted = Event()
        """Set while there are subscriptions."""
        self._watch = watch
        self._callbacks: dict[str, list[Callback]] = {}
        self._stamps: dict[str, Hashable] = {}
        self._lock = Lock()
        self._thread: Thread | None = None

    def matches(self) -> set[str]:
        """Return the matches that have subscriptions."""
        with self._lock:
            return set(self._callbacks)

    def subscribe(self, match: str, callback: Callback) -> Callable[[], None]:
        """Add a callback. Returns a function that removes it."""

        def own() -> None:
            callback()  # an object of its own, however often the same function is given

        with self._lock:
            self._callbacks.setdefault(match, []).append(own)
            self.wanted.set()
            if self._watch is not None and self._thread is None and not self.stopped.is_set():
                self._thread = Thread(target=self._watch, args=(self,), daemon=True, name="kifu store watch")
                self._thread.start()
        return lambda: self._forget(match, own)

    def _forget(self, match: str, callback: Callback) -> None:
        with self._lock:
            left = [each for each in self._callbacks.get(match, ()) if each is not callback]
            if left:
                self._callbacks[match] = left
            else:
                self._callbacks.pop(match, None)
            if not self._callbacks:
                self.wanted.clear()

    def notify(self, match: str) -> None:
        """Call the callbacks of a match; drops what they raise."""
        for callback in tuple(self._callbacks.get(match, ())):
            with suppress(Exception):
                callback()

    def compare(self, stamps: Mapping[str, Hashable]) -> None:
        """Notify of each match whose stamp is new or differs from the one before."""
        subscribed = self.matches()
        self._stamps = {match: stamp for match, stamp in self._stamps.items() if match in subscribed}
        for match, stamp in stamps.items():
            if self._stamps.get(match) != stamp:
                self._stamps[match] = stamp
                self.notify(match)

    def notify_all(self) -> None:
        """Call all callbacks, when it is unknown what has changed."""
        for match in self.matches():
            self.notify(match)

    def close(self) -> None:
        """Call all callbacks a last time, remove them, and join the thread, unless it is the one that closes.

        By then the store raises `StoreError`, so that a subscriber finds out.
        """
        with self._lock:
            last, self._callbacks = self._callbacks, {}
            self.stopped.set()
            self.wanted.set()
        for callback in (each for callbacks in last.values() for each in callbacks):
            with suppress(Exception):
                callback()
        if self._thread is not None and self._thread is not current_thread():
            self._thread.join()


def polling(poll: Poll, every_s: float) -> Callable[[Subscriptions], None]:
    """Return a `watch` that polls every `every_s` seconds while there are subscriptions."""

    def watch(subscriptions: Subscriptions) -> None:
        while not subscriptions.stopped.wait(every_s):
            subscriptions.wanted.wait()
            with suppress(Exception):  # the store fails: its callers see that, and the next poll may succeed
                subscriptions.compare(poll(subscriptions.matches()))

    return watch
