"""What was made once and may be asked for again: the latest of it, in so many bytes, whoever asks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

A = TypeVar("A")


class Kept(Generic[A]):
    """Values by key; the least recently used ones go where there is no room."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self.total_bytes = 0
        self._values: OrderedDict[Hashable, tuple[A, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> A | None:
        """Return the value of this key, None if there is none."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: Hashable, value: A, size: int) -> None:
        """Keep a value of so many bytes."""
        with self._lock:
            if key not in self._values:
                self._values[key] = value, size
                self.total_bytes += size
            while self.total_bytes > self._max_bytes:
                _, (_, gone) = self._values.popitem(last=False)
                self.total_bytes -= gone

    def made(self, key: Hashable, make: Callable[[], A], size_of: Callable[[A], int]) -> A:
        """Return the value of this key, made now unless it is there."""
        value = self.get(key)
        if value is None:
            value = make()
            self.put(key, value, size_of(value))
        return value
