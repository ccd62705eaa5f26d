"""Calling who waits for a match from a thread of its own, so that a wake may ask the host again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread

from ..stores.store import Store

Callback = Callable[[], None]


class Notifier:
    """Calls wakes soon, one after the other; several calls of one that waits its turn are one.

    A store may ring in the middle of a change that the host is making: a wake called there could not look at the match.
    """

    def __init__(self) -> None:
        self._due: dict[Callback, None] = {}
        self._calling = False
        self._lock = Lock()

    def subscribe(self, store: Store, match: str, callback: Callback) -> Callable[[], None]:
        """Call `wake` soon after each change of the match; the answer ends that."""

        def alone() -> None:
            callback()  # a place of its own, however often the same function is given

        end = store.subscribe(match, lambda: self._ask(alone))

        def forget() -> None:
            end()
            with self._lock:
                self._due.pop(alone, None)

        return forget

    def _ask(self, callback: Callback) -> None:
        with self._lock:
            self._due[callback] = None
            if self._calling:
                return
            self._calling = True
        try:
            Thread(target=self._call, name="kifu host wakes", daemon=True).start()
        except RuntimeError:  # no thread can be had: the next change tries again
            self._calling = False

    def _call(self) -> None:
        """Call what is due, until nothing is."""
        while True:
            with self._lock:
                callback = next(iter(self._due), None)
                if callback is None:
                    self._calling = False
                    return
                del self._due[callback]
            with suppress(Exception):
                callback()
