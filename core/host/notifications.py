"""Callbacks run in a thread of their own, so that they may call the host."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Lock

from ..stores.store import Store
from .threads import THREADS, Threads

Callback = Callable[[], None]


class Notifier:
    """A queue of callbacks, run one after the other; a callback stands in it at most once.

    A store may notify while the host holds the lock of a match. A callback run there and then, which calls the host,
    would wait for that lock for ever.
    """

    def __init__(self, threads: Threads = THREADS) -> None:
        self._threads = threads
        self._due: dict[Callback, None] = {}
        self._running = False
        self._lock = Lock()

    def subscribe(self, store: Store, match: str, callback: Callback) -> Callable[[], None]:
        """Call `callback` from another thread after each change of the match. Returns a function that unsubscribes."""

        def own() -> None:
            callback()  # an object of its own, however often the same function is given

        unsubscribe = store.subscribe(match, lambda: self._enqueue(own))

        def forget() -> None:
            unsubscribe()
            with self._lock:
                self._due.pop(own, None)

        return forget

    def _enqueue(self, callback: Callback) -> None:
        """Queue a callback, and start the thread unless it runs."""
        with self._lock:
            self._due[callback] = None
            if self._running:
                return
            self._running = True
        try:
            self._threads.start(self._run, "kifu host callbacks")
        except RuntimeError:  # no thread is available: the next change tries again
            self._running = False

    def _run(self) -> None:
        """Run the queued callbacks until there are none."""
        while True:
            with self._lock:
                callback = next(iter(self._due), None)
                if callback is None:
                    self._running = False
                    return
                del self._due[callback]
            with suppress(Exception):
                callback()
