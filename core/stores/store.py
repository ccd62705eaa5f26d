"""What a store is: logs that grow at an expected place, each with a sheet of what its host keeps beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from attrs import frozen


@frozen
class Sheet:
    """What a host keeps beside a match's log; a store searches by the first four and understands none of `data`."""

    game: str
    status: str
    """`open` (seats are free), `going`, `over` or `abandoned`."""
    public: bool
    """Whether a lobby lists it."""
    changed: int
    """Milliseconds since the Unix epoch."""
    data: bytes
    """The host's own, packed: seats, hashes of keys, terms, wishes."""
    version: int = 0
    """Goes up by one with each change: who changes a sheet says which version it read."""


@frozen
class Kept:
    """A match as a store keeps it: the objects of its log, byte for byte, from event `since` on."""

    head: bytes
    since: int
    events: tuple[bytes, ...]
    end: bytes | None
    sheet: Sheet

    @property
    def count(self) -> int:
        """How many events the whole log has."""
        return self.since + len(self.events)


@frozen
class Query:
    """Which sheets to list: those that match all that is not None, newest change first."""

    game: str | None = None
    status: str | None = None
    public: bool | None = None
    limit: int = 50
    before: tuple[int, str] | None = None
    """The (changed, match) of the last one of the page before."""


class Store(Protocol):
    """Where a host keeps its logs. Every method may be called from any thread.

    Raises `StoreError` where the store itself fails, `NoMatch` for an id that it does not have, `Conflict` where
    somebody else was first; nothing else, and then nothing has changed.
    """

    def create(self, match: str, head: bytes, sheet: Sheet) -> None:
        """Begin a log; raises `Conflict` if there is one of this id."""

    def append(
        self, match: str, at: int, events: Sequence[bytes], *, end: bytes | None = None, sheet: Sheet | None = None
    ) -> None:
        """Add events, the first of which is number `at`, and the end record: all of it, on disk, or nothing.

        Raises `Conflict` unless the log has exactly `at` events and no end record, and the sheet, if one is given, is
        one version above the one that is kept.
        """

    def revise(self, match: str, sheet: Sheet) -> None:
        """Put a sheet in the place of the one before it; raises `Conflict` unless it is one version above it."""

    def read(self, match: str, since: int = 0) -> Kept:
        """Give the log from event `since` on, and its sheet."""

    def list(self, query: Query = Query()) -> Iterator[tuple[str, Sheet]]:
        """Give the ids and sheets that the query asks for, newest change first, then by id."""

    def subscribe(self, match: str, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake`, from any thread, soon after the match has changed by whomever; the answer ends that.

        A wake may be spurious and several changes may share one, but after the last change there is one.
        """

    def close(self) -> None:
        """Let go of files and connections; what was acknowledged is safe."""
