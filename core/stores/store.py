"""The interface of a store: logs that grow at an expected length, each with a metadata row."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from attrs import frozen

from ..errors import Conflict, KifuError, Message, NoMatch, StoreError

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
"""The form of a match's id: fit for a file's name and for a URL."""


@frozen
class MetadataRow:
    """The metadata of a match: a store can search by the first four fields; `data` is opaque to it."""

    game: str
    status: str
    """`open` (seats are free), `going`, `over` or `abandoned`."""
    public: bool
    """Whether a lobby lists it."""
    changed_at_ms: int
    """Milliseconds since the Unix epoch."""
    data: bytes
    """The host's `MatchMetadata`, packed: seats, hashes of keys, terms, the last proposal."""
    version: int = 0
    """Goes up by one with each change of the row."""


@frozen
class StoredLog:
    """A match as a store has it: the objects of its log, byte for byte, from event `since` on, and its row."""

    header: bytes
    """The header; empty until the log begins."""
    since: int
    events: tuple[bytes, ...]
    end: bytes | None
    row: MetadataRow

    @property
    def count(self) -> int:
        """How many events the whole log has."""
        return self.since + len(self.events)


def log_bytes_of(stored: StoredLog) -> bytes:
    """Return the bytes of a log that was read from its first event on."""
    assert stored.since == 0, "a log is written whole: read it since 0"
    return b"".join([stored.header, *stored.events, stored.end or b""])


@frozen
class Due:
    """When something is next due in a match."""

    at_ms: int | None
    """Milliseconds since the Unix epoch; None: nothing is."""
    is_bot: bool = False
    """Whether a bot is to act: such work is claimed apart, as it takes time."""


@frozen
class Query:
    """A search: rows that equal each field that is not None, newest change first."""

    game: str | None = None
    status: str | None = None
    public: bool | None = None
    limit: int = 50
    before: tuple[int, str] | None = None
    """The (`changed_at_ms`, match) of the last row of the page before."""


NEWEST = Query()
"""The fifty newest of all."""


class Store(Protocol):
    """Logs and metadata rows of matches; every method may be called from any thread.

    Raises only `StoreError` if the store itself fails, `NoMatch` for an unknown id, and `Conflict` if another writer
    was first. After `Conflict` and `NoMatch` nothing has changed. After a `StoreError`, as of a connection that broke,
    only reading shows whether the change was made.
    """

    def create(self, match: str, header: bytes, row: MetadataRow) -> None:
        """Store a new match; raises `Conflict` if there is one of this id.

        With an empty header the log begins later, with the `append` that has its header.
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
        due: Due | None = None,
    ) -> None:
        """Append events, with the header, the end record and the next row that are given: all on disk, or nothing.

        `due` is set with it; None leaves it as it is.

        Raises `Conflict` unless all of this holds: the log has `expected_events` events and no end record; it has a
        header, or gets its first one here; `row` is one version above the stored one; `expected_version` is the stored
        row's version.
        """

    def update(self, match: str, row: MetadataRow) -> None:
        """Replace the metadata row; raises `Conflict` unless the new one is one version above it."""

    def read(self, match: str, since: int = 0) -> StoredLog:
        """Return the log from event `since` on (none, if it has fewer), and its metadata row."""

    def list(self, query: Query = NEWEST) -> Iterator[tuple[str, MetadataRow]]:
        """Return the ids and metadata rows that fit the query, newest change first, then by id."""

    def schedule(self, match: str, expected_events: int, due: Due) -> None:
        """Set when something is due in the match; raises `Conflict` if its log has another number of events."""

    def claim(self, now_ms: int, until_ms: int, limit: int, *, is_bot: bool) -> Sequence[str]:
        """Return the matches in which something is due now, at most so many, the longest due first.

        They are due again at `until_ms`: until then no other caller of any process gets them, and then they are if the
        caller has died. `is_bot` selects those in which a bot is to act, or the others.
        """

    def earliest_due(self) -> int | None:
        """Return when something is next due in any match, claimed ones included; None: never."""

    def delete(self, match: str, version: int) -> None:
        """Delete a match with its log; raises `Conflict` unless its row has this version."""

    def probe(self) -> None:
        """Write to disk, as a change does, and change nothing; raises `StoreError` if no change can be made."""

    def subscribe(self, match: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback`, from any thread, after each change of the match by any process.

        Returns a function that unsubscribes. A call may be spurious, and several changes may share one, but one follows
        the last change. The callback should be quick; what it raises is dropped.
        """

    def close(self) -> None:
        """Close files and connections; afterwards all other methods raise `StoreError`.

        Every callback is called a last time, so that its subscriber finds out.
        """


@frozen
class Append:
    """What one call of `Store.append` stores."""

    match: str
    expected_events: int
    events: Sequence[bytes]
    header: bytes | None = None
    end: bytes | None = None
    row: MetadataRow | None = None
    expected_version: int | None = None
    due: Due | None = None

    def to(self, store: Store) -> None:
        """Store it; raises what `Store.append` raises."""
        store.append(
            self.match,
            self.expected_events,
            self.events,
            header=self.header,
            end=self.end,
            row=self.row,
            expected_version=self.expected_version,
            due=self.due,
        )

    def failure_in(self, store: Store) -> KifuError | None:
        """Store it by itself; return its error, None if it is stored."""
        try:
            self.to(store)
        except KifuError as failure:
            return failure
        return None

    def check(self, log_head: LogHead) -> None:
        """Raise `Conflict` unless it fits a log that is so."""
        more = self.header, self.end, self.row, self.expected_version
        log_head.check_append(self.match, self.expected_events, self.events, *more)


class TogetherStore(Store, Protocol):
    """A store that makes several changes in one transaction: a host need not write from many threads."""

    def append_together(self, appends: Sequence[Append]) -> Sequence[KifuError | None]:
        """Make appends to different matches, each as `append` does; return the error of each, None if it is stored."""


@frozen
class LogHead:
    """The state of a log that a change is checked against."""

    begun: bool
    count: int
    ended: bool
    version: int

    def check_append(
        self,
        match: str,
        expected_events: int,
        events: Sequence[bytes],
        header: bytes | None,
        end: bytes | None,
        row: MetadataRow | None,
        expected_version: int | None,
    ) -> None:
        """Raise `Conflict` unless `Store.append` may append these."""
        begins_again = self.begun and header is not None
        without_header = not self.begun and not header and (len(events) > 0 or end is not None)
        if expected_events != self.count or self.ended or begins_again or without_header:
            raise Conflict(match, expected_events, self.count)
        if expected_version is not None and expected_version != self.version:
            raise Conflict(match, expected_events, self.count)
        if row is not None:
            self.check_row(match, row)

    def check_row(self, match: str, row: MetadataRow) -> None:
        """Raise `Conflict` unless the row is one version above the stored one."""
        if row.version != self.version + 1:
            raise Conflict(match, self.count, self.count)


HEADER_ALONE = 1 << 62
"""More events than any log has: `Store.read` since then reads the header and the row only."""
TAIL_BYTES = 16
"""How many of the last event's bytes are kept beside a log; they hold the chain of all events before."""


def tail_of(events: Sequence[bytes]) -> bytes | None:
    """Return the last bytes of the last event; None without events."""
    return events[-1][-TAIL_BYTES:] if events else None


def check_whole(store: str, match: str, stored: StoredLog, known: int, tail: bytes) -> None:
    """Raise `StoreError` unless it is the log that was acknowledged: so many events, the last with this tail.

    An empty tail, of a log that an older kifu wrote, fits every log.
    """
    if stored.count < known:
        english = "match {match} is shorter than what was acknowledged: {count} events, not {known}"
        raise StoreError(store, Message("log-shorter", english, match=match, count=stored.count, known=known))
    if stored.count > known or (stored.events and tail and stored.events[-1][-TAIL_BYTES:] != tail):
        raise StoreError(
            store, Message("log-other", "the log of match {match} is not the one that was acknowledged", match=match)
        )


def check_new(store: str, match: str) -> None:
    """Raise `StoreError` if a new match may not have this id."""
    if not ID.fullmatch(match):
        english = "{match} is no id: 1 to 64 ASCII letters, digits, '-' and '_', a letter or digit first"
        raise StoreError(store, Message("no-id", english, match=ascii(match[:60])))


def check_known(match: str) -> None:
    """Raise `NoMatch` if no match can have this id."""
    if not isinstance(match, str) or not ID.fullmatch(match):
        raise NoMatch(str(match))
