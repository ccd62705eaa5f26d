"""The interface of a store: logs that grow at an expected length, each with a metadata row."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from threading import Event, Lock, Thread, current_thread
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
class Claim:
    """A match in which something is due, for one caller and a while."""

    match: str
    count: int
    """The events it had then: once there are more, it is due anew, and another caller may have claimed that."""


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
FINISHED = ("over", "abandoned")
"""The statuses of a match that has ended."""


@frozen
class LogHead:
    """What a store has of a match, as far as a change is checked against it."""

    begun: bool
    count: int
    ended: bool
    version: int


@frozen
class Create:
    """A new match; with an empty header its log begins later, with the `Append` that has its header."""

    match: str
    header: bytes
    row: MetadataRow

    def check(self, log_head: LogHead | None) -> None:
        """Raise `Conflict` if there is a match of this id."""
        if log_head is not None:
            raise Conflict(self.match, 0, log_head.count)


TAIL_BYTES = 16
"""How many of the last event's bytes are kept beside a log; they hold the chain of all events before."""


@frozen
class Append:
    """More events of a match, with the header, the end record, the next row and the due time that are given."""

    match: str
    expected_events: int
    events: Sequence[bytes] = ()
    header: bytes | None = None
    end: bytes | None = None
    row: MetadataRow | None = None
    expected_version: int | None = None
    due: Due | None = None
    """None leaves it as it is."""

    @property
    def tail(self) -> bytes | None:
        """The last bytes of the last event, which are kept beside a log; None without events."""
        return self.events[-1][-TAIL_BYTES:] if self.events else None

    def check(self, log_head: LogHead | None) -> None:
        """Raise `Conflict` unless all of this holds.

        The log has `expected_events` events and no end record; it has a header, or gets its first one here; `row` is
        one version above the stored one; `expected_version` is the stored row's version.
        """
        there = _known(self.match, log_head, self.expected_events)
        begins_again = there.begun and self.header is not None
        without_header = not there.begun and not self.header and (len(self.events) > 0 or self.end is not None)
        other_version = self.expected_version is not None and self.expected_version != there.version
        if there.ended or begins_again or without_header or other_version:
            raise Conflict(self.match, self.expected_events, there.count)
        if self.row is not None:
            _check_row(self.match, self.row, there)


@frozen
class Update:
    """The next metadata row of a match, with the due time if it is given."""

    match: str
    row: MetadataRow
    expected_events: int | None = None
    due: Due | None = None

    def check(self, log_head: LogHead | None) -> None:
        """Raise `Conflict` unless the row is one version above the stored one, and the log as long as expected."""
        _check_row(self.match, self.row, _known(self.match, log_head, self.expected_events))


@frozen
class Schedule:
    """When something is due in a match; nobody who watches it is told."""

    match: str
    expected_events: int
    due: Due

    def check(self, log_head: LogHead | None) -> None:
        """Raise `Conflict` if the log has another number of events."""
        _known(self.match, log_head, self.expected_events)


@frozen
class Delete:
    """The end of a match: its log and its row are removed."""

    match: str
    version: int

    def check(self, log_head: LogHead | None) -> None:
        """Raise `Conflict` unless the row has this version."""
        there = _known(self.match, log_head)
        if self.version != there.version:
            raise Conflict(self.match, there.count, there.count)


Change = Create | Append | Update | Schedule | Delete
"""What a store is asked to do. `check` raises `Conflict` if it expects another head, `NoMatch` for None."""


def _known(match: str, log_head: LogHead | None, expected_events: int | None = None) -> LogHead:
    """Return the head of a log; raises `NoMatch` if there is none, `Conflict` unless it has so many events."""
    if log_head is None:
        raise NoMatch(match)
    if expected_events is not None and expected_events != log_head.count:
        raise Conflict(match, expected_events, log_head.count)
    return log_head


def _check_row(match: str, row: MetadataRow, there: LogHead) -> None:
    """Raise `Conflict` unless the row is one version above the stored one."""
    if row.version != there.version + 1:
        raise Conflict(match, there.count, there.count)


class Store(Protocol):
    """Logs and metadata rows of matches; every method may be called from any thread.

    Raises only `StoreError` if the store itself fails, and `NoMatch` for an unknown id.
    """

    epoch: str
    """The same for all who have it open; another one once it was restored from a backup."""

    def commit(self, changes: Sequence[Change]) -> Sequence[KifuError | None]:
        """Make changes, one after the other, in one transaction; return what became of each: None once it is on disk.

        A change that is not made is answered by `Conflict` if another writer was first, or by `NoMatch`; so is what
        follows it in the same match. The others are made. After a `StoreError`, as of a connection that broke, only
        reading shows whether the change was made. Raises nothing.
        """

    def read(self, match: str, since: int = 0) -> StoredLog:
        """Return the log from event `since` on (none, if it has fewer), and its metadata row."""

    def list(self, query: Query = NEWEST) -> Iterator[tuple[str, MetadataRow]]:
        """Return the ids and metadata rows that fit the query, newest change first, then by id."""

    def claim(self, now_ms: int, until_ms: int, limit: int, *, is_bot: bool) -> Sequence[Claim]:
        """Claim the matches in which something is due now, at most so many, the longest due first.

        They are due again at `until_ms`: no other caller of any process gets them before, and one does then if the
        caller has died. A match that somebody is changing just now may be left out: it is due again as the change says.
        `is_bot` selects those in which a bot is to act, or the others.
        """

    def earliest_due(self) -> int | None:
        """Return when something is next due in any match, claimed ones included; None: never."""

    def now_ms(self) -> int:
        """Return the milliseconds since the Unix epoch by a clock that all who have the store open share."""

    def subscribe(self, match: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback`, from any thread, after each change of the match by any process, but a `Schedule`.

        Returns a function that unsubscribes. A call may be spurious, and several changes may share one, but one follows
        the last change. The callback should be quick; what it raises is dropped.
        """

    def probe(self) -> None:
        """Write to disk, as a change does, and change nothing; raises `StoreError` if no change can be made."""

    def close(self) -> None:
        """Close files and connections; afterwards all other methods raise `StoreError`, and `commit` returns them.

        Every callback is called a last time, so that its subscriber finds out.
        """


def commit_one(store: Store, change: Change) -> None:
    """Make one change; raises what became of it, unless it was made."""
    (failure,) = store.commit([change])
    if failure is not None:
        raise failure


def each_made(changes: Sequence[Change], make: Callable[[Change], None]) -> list[KifuError | None]:
    """Make each change by itself; return the error of each, None if it was made.

    What follows a refused change of the same match is refused with it: it was made for what that would have left.
    """
    answers: list[KifuError | None] = []
    refused: dict[str, KifuError] = {}
    for change in changes:
        if change.match not in refused:
            try:
                make(change)
            except KifuError as failure:
                refused[change.match] = failure
        answers.append(refused.get(change.match))
    return answers


def changed_by(changes: Sequence[Change], answers: Sequence[KifuError | None]) -> list[str]:
    """Return the matches whose subscribers are to be told of these changes."""
    pairs = zip(changes, answers, strict=True)
    made = [change.match for change, failure in pairs if failure is None and change.__class__ is not Schedule]
    return list(dict.fromkeys(made))


def stored_id(match: str) -> str:
    """Return the id under which a log with this one is stored: the same if it can be, else a name made of it."""
    if ID.fullmatch(match):
        return match
    return blake2b(match.encode("utf-8", "surrogatepass"), digest_size=8, person=b"kifu match").hexdigest()


HEADER_ALONE = 1 << 62
"""More events than any log has: `Store.read` since then reads the header and the row only."""


def check_id(store: str, change: Change) -> None:
    """Raise `StoreError` for a new match, and `NoMatch` for another one, if no match may have such an id."""
    if not isinstance(change.match, str) or not ID.fullmatch(change.match):
        if not isinstance(change, Create):
            raise NoMatch(str(change.match))
        english = "{match} is not an id: use 1 to 64 ASCII letters, digits, '-' and '_', a letter or digit first"
        raise StoreError(store, Message("no-id", english, match=ascii(str(change.match)[:60])))


def check_known(match: str) -> None:
    """Raise `NoMatch` if no match can have this id."""
    if not isinstance(match, str) or not ID.fullmatch(match):
        raise NoMatch(str(match))


Callback = Callable[[], None]


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
        own = partial(callback)  # an object of its own, however often the same function is given
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
        """Notify of each match whose stamp is new or differs from the one before: it has changed."""
        subscribed = self.matches()
        self._stamps = {match: stamp for match, stamp in self._stamps.items() if match in subscribed}
        for match, stamp in stamps.items():
            if self._stamps.get(match) != stamp:
                self._stamps[match] = stamp
                self.notify(match)

    def close(self) -> None:
        """Call all callbacks a last time, remove them, and join the thread, unless it is the one that closes.

        By then the store raises `StoreError`, so that a subscriber finds out.
        """
        with self._lock:
            self.stopped.set()
            self.wanted.set()
        for match in self.matches():
            self.notify(match)
        self._callbacks.clear()
        if self._thread is not None and self._thread is not current_thread():
            self._thread.join()
