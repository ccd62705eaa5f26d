"""Changes that are asked for at the same time are made together: one of those who wait makes them for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Generic, TypeVar

from attrs import define, field

T = TypeVar("T")


@define(eq=False)
class Asked(Generic[T]):
    """A change that waits to be made, and what became of it."""

    change: T
    failure: Exception | None = None
    leads: bool = False
    """Whether it is for the one who asked to make all that wait now."""
    wakes: Lock = field(factory=Lock)
    """Held until its change is made, or it leads."""


class Turns(Generic[T]):
    """Where changes wait until those before them are made."""

    def __init__(self, make: Callable[[Sequence[Asked[T]]], None]) -> None:
        self._make = make
        self._lock = Lock()
        self._asked: list[Asked[T]] = []
        self._busy = False

    @property
    def waiting(self) -> int:
        """How many changes wait until those before them are made."""
        return len(self._asked)

    def ask(self, change: T) -> None:
        """Have a change made, by oneself or another, and return when it is; raises its failure."""
        asked = Asked(change)
        asked.wakes.acquire()
        try:
            with self._lock:
                self._asked.append(asked)
                asked.leads, self._busy = not self._busy, True
            if not asked.leads:
                asked.wakes.acquire()
            if asked.leads:
                self._lead(asked)
        except BaseException:
            self._give_up(asked)
            raise
        if asked.failure is not None:
            raise asked.failure

    def _lead(self, leader: Asked[T]) -> None:
        """Make all changes that wait, then hand over to the first of those that have come meanwhile."""
        with self._lock:
            batch, self._asked = self._asked, []
            for asked in batch:
                asked.leads = False
        try:
            self._make(batch)
        finally:
            with self._lock:
                self._busy = bool(self._asked)
                if self._asked:
                    self._asked[0].leads = True
                    self._asked[0].wakes.release()
            for asked in batch:
                if asked is not leader:  # which waits no more, and was let go already if it did
                    asked.wakes.release()

    def _give_up(self, asked: Asked[T]) -> None:
        """Let nobody wait for one who was interrupted."""
        with self._lock:
            if asked in self._asked and not asked.leads:
                self._asked.remove(asked)
        if asked.leads:
            self._lead(asked)
