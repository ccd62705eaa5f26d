"""Changes that are asked for at the same time are made together: one of those who wait makes them for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Generic, TypeVar

from attrs import define, field

T = TypeVar("T")


@define(eq=False)
class PendingChange(Generic[T]):
    """A change that waits to be made, and what became of it."""

    change: T
    failure: Exception | None = None
    is_leader: bool = False
    """Whether it is for the one who asked to make all that wait now."""
    released: Lock = field(factory=Lock)
    """Held until its change is made, or it leads."""


class GroupCommit(Generic[T]):
    """Where changes wait until those before them are made."""

    def __init__(self, make: Callable[[Sequence[PendingChange[T]]], None]) -> None:
        self._make = make
        self._lock = Lock()
        self._asked: list[PendingChange[T]] = []
        self._busy = False

    @property
    def waiting(self) -> int:
        """How many changes wait until those before them are made."""
        return len(self._asked)

    def submit(self, change: T) -> None:
        """Have a change made, by oneself or another, and return when it is; raises its failure."""
        asked = PendingChange(change)
        asked.released.acquire()
        try:
            with self._lock:
                self._asked.append(asked)
                asked.is_leader, self._busy = not self._busy, True
            if not asked.is_leader:
                asked.released.acquire()
            if asked.is_leader:
                self._lead(asked)
        except BaseException:
            self._give_up(asked)
            raise
        if asked.failure is not None:
            raise asked.failure

    def _lead(self, leader: PendingChange[T]) -> None:
        """Make all changes that wait, then hand over to the first of those that have come meanwhile."""
        with self._lock:
            batch, self._asked = self._asked, []
            for asked in batch:
                asked.is_leader = False
        try:
            self._make(batch)
        finally:
            with self._lock:
                self._busy = bool(self._asked)
                if self._asked:
                    self._asked[0].is_leader = True
                    self._asked[0].released.release()
            for asked in batch:
                if asked is not leader:  # which waits no more, and was let go already if it did
                    asked.released.release()

    def _give_up(self, asked: PendingChange[T]) -> None:
        """Let nobody wait for one who was interrupted."""
        with self._lock:
            if asked in self._asked and not asked.is_leader:
                self._asked.remove(asked)
        if asked.is_leader:
            self._lead(asked)
