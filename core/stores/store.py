"""What a store is: logs that grow at an expected place, each with a sheet of what its host keeps beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from attrs import frozen

from ..errors import Conflict, Message, NoMatch, StoreError

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
"""What the id of a match looks like in a store: fit for a file's name and for an address."""


@frozen
class MetadataRow:
    """What a host keeps beside a match's log; a store searches by the first four and understands none of `data`."""

    game: str
    status: str
    """`open` (seats are free), `going`, `over` or `abandoned`."""
    public: bool
    """Whether a lobby lists it."""
    changed_at_ms: int
    """Milliseconds since the Unix epoch."""
    data: bytes
    """The host's own, packed: seats, hashes of keys, terms, wishes."""
    version: int = 0
    """Goes up by one with each change: who changes a sheet says which version it read."""


@frozen
class StoredLog:
    """A match as a store keeps it: the objects of its log, byte for byte, from event `since` on."""

    header: bytes
    """The header; empty for as long as the log has not begun."""
    since: int
    events: tuple[bytes, ...]
    end: bytes | None
    row: MetadataRow

    @property
    def count(self) -> int:
        """How many events the whole log has."""
        return self.since + len(self.events)


def log_bytes_of(kept: StoredLog) -> bytes:
    """Join what a store keeps of a match, read from its first event on, to the bytes of its log."""
    assert kept.since == 0, "a log is written out whole: read it since 0"
    return b"".join([kept.header, *kept.events, kept.end or b""])


@frozen
class Query:
    """Which sheets to list: those that match all that is not None, newest change first."""

    game: str | None = None
    status: str | None = None
    public: bool | None = None
    limit: int = 50
    before: tuple[int, str] | None = None
    """The (changed, match) of the last one of the page before."""


NEWEST = Query()
"""The fifty newest of all."""


class Store(Protocol):
    """Where a host keeps its logs. Every method may be called from any thread.

    Raises `StoreError` where the store itself fails, `NoMatch` for an id that it does not have, `Conflict` where
    somebody else was first; nothing else. After `Conflict` and `NoMatch` nothing has changed; after a `StoreError`
    (a connection that broke in the middle) only reading tells whether the change was made.
    """

    def create(self, match: str, header: bytes, row: MetadataRow) -> None:
        """Begin a log; raises `Conflict` if there is one of this id.

        With an empty head there is a sheet, but the log begins later: with the `append` that gives it its head.
        """

    def append(
        self,
        match: str,
        expected_events: int,
        events: Sequence[bytes],
        *,
        header: bytes | None = None,
        end: bytes | None = None,
        row: MetadataRow | None = None,
        expected_version: int | None = None,
    ) -> None:
        """Add events, the first of which is number `at`, and the end record: all of it, on disk, or nothing.

        Raises `Conflict` unless the log has exactly `at` events and no end record, the sheet, if one is given, is one
        version above the one that is kept, and the log has a head, or is given its first one here. Who adds events by
        what a sheet says gives its `version`, which must be that of the one that is kept.
        """

    def update(self, match: str, row: MetadataRow) -> None:
        """Put a sheet in the place of the one before it; raises `Conflict` unless it is one version above it."""

    def read(self, match: str, since: int = 0) -> StoredLog:
        """Give the log from event `since` on (none, if it has fewer), and its sheet."""

    def list(self, query: Query = NEWEST) -> Iterator[tuple[str, MetadataRow]]:
        """Give the ids and sheets that the query asks for, newest change first, then by id."""

    def subscribe(self, match: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `wake`, from any thread, soon after the match has changed by whomever; the answer ends that.

        A wake may be spurious and several changes may share one, but after the last change there is one. It should be
        quick; what it raises is lost.
        """

    def close(self) -> None:
        """Let go of files and connections; what was acknowledged is safe. Afterwards all else raises `StoreError`.

        Whoever is subscribed is woken a last time, to find that out.
        """


@frozen
class LogHead:
    """How a log stands: what a change of it is held against."""

    begun: bool
    count: int
    ended: bool
    version: int

    def check_append(
        self,
        match: str,
        at: int,
        events: Sequence[bytes],
        head: bytes | None,
        end: bytes | None,
        row: MetadataRow | None,
        version: int | None,
    ) -> None:
        """Raise `Conflict` unless these can be appended."""
        begins_again = self.begun and head is not None
        without_head = not self.begun and not head and (len(events) > 0 or end is not None)
        if at != self.count or self.ended or begins_again or without_head:
            raise Conflict(match, at, self.count)
        if version is not None and version != self.version:
            raise Conflict(match, at, self.count)
        if row is not None:
            self.check_row(match, row)

    def check_row(self, match: str, row: MetadataRow) -> None:
        """Raise `Conflict` unless the sheet is the next one."""
        if row.version != self.version + 1:
            raise Conflict(match, self.count, self.count)


def check_new(store: str, match: str) -> None:
    """Raise `StoreError` if no match may have this id."""
    if not ID.fullmatch(match):
        english = "{match} is no id: 1 to 64 ASCII letters, digits, '-' and '_', no sign first"
        raise StoreError(store, Message("no-id", english, match=ascii(match[:60])))


def check_known(match: str) -> None:
    """Raise `NoMatch` if no match can have this id."""
    if not isinstance(match, str) or not ID.fullmatch(match):
        raise NoMatch(str(match))
