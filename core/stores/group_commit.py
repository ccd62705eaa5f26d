"""Group commit: the first waiting thread becomes the leader and writes all pending changes in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Generic, TypeVar

from attrs import define, field

T = TypeVar("T")


@define(eq=False)
class PendingChange(Generic[T]):
    """A change that waits to be made, and its failure if it has one."""

    change: T
    failure: Exception | None = None
    is_leader: bool = False
    """Whether its thread makes all changes that wait now."""
    released: Lock = field(factory=Lock)
    """Held until the change is made, or its thread leads."""


class GroupCommit(Generic[T]):
    """A queue of changes that wait while earlier ones are made."""

    def __init__(self, make: Callable[[Sequence[PendingChange[T]]], None]) -> None:
        self._make = make
        self._lock = Lock()
        self._pending: list[PendingChange[T]] = []
        self._busy = False

    @property
    def waiting(self) -> int:
        """How many changes wait while earlier ones are made."""
        return len(self._pending)

    def submit(self, change: T) -> None:
        """Return once the change was made, by this thread or another; raises its failure."""
        pending = PendingChange(change)
        pending.released.acquire()
        try:
            with self._lock:
                self._pending.append(pending)
                pending.is_leader, self._busy = not self._busy, True
            if not pending.is_leader:
                pending.released.acquire()
            if pending.is_leader:
                self._lead(pending)
        except BaseException:
            self._withdraw(pending)
            raise
        if pending.failure is not None:
            raise pending.failure

    def _lead(self, leader: PendingChange[T]) -> None:
        """Make all changes that wait, then let the first of those that came meanwhile lead."""
        with self._lock:
            batch, self._pending = self._pending, []
            for pending in batch:
                pending.is_leader = False
        try:
            self._make(batch)
        finally:
            with self._lock:
                self._busy = bool(self._pending)
                if self._pending:
                    self._pending[0].is_leader = True
                    self._pending[0].released.release()
            for pending in batch:
                if pending is not leader:  # which does not wait
                    pending.released.release()

    def _withdraw(self, pending: PendingChange[T]) -> None:
        """Withdraw the change of an interrupted thread.

        If it leads, lead once more, so that the others are not blocked.
        """
        with self._lock:
            if pending in self._pending and not pending.is_leader:
                self._pending.remove(pending)
        if pending.is_leader:
            self._lead(pending)
