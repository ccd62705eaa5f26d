"""A store in memory: for tests, and for tables whose matches may be forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Lock

from attrs import define

from ..errors import Conflict, Message, NoMatch, StoreError
from .store import NEWEST, LogHead, MetadataRow, Query, StoredLog, check_known, check_new
from .subscriptions import Subscriptions

NAME = "memory:"


@define
class _Log:
    head: bytes
    events: list[bytes]
    end: bytes | None
    row: MetadataRow

    @property
    def log_head(self) -> LogHead:
        return LogHead(bool(self.head), len(self.events), self.end is not None, self.row.version)


class MemoryStore:
    """Logs for as long as the process lives."""

    def __init__(self) -> None:
        self._logs: dict[str, _Log] = {}
        self._lock = Lock()
        self._subscriptions = Subscriptions()
        self._closed = False

    def create(self, match: str, header: bytes, row: MetadataRow) -> None:
        """Begin a log, or a sheet whose log begins later."""
        check_new(NAME, match)
        with self._lock:
            self._check_open()
            if match in self._logs:
                raise Conflict(match, 0, len(self._logs[match].events))
            self._logs[match] = _Log(bytes(header), [], None, row)
        self._subscriptions.notify(match)

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
        """Add events, and whatever else comes with them."""
        with self._lock:
            log = self._find(match)
            log.log_head.check_append(match, expected_events, events, header, end, row, expected_version)
            log.head = header or log.head
            log.events.extend(events)
            log.end = end
            log.row = row or log.row
        self._subscriptions.notify(match)

    def update(self, match: str, row: MetadataRow) -> None:
        """Put the next sheet in the place of the one that is kept."""
        with self._lock:
            log = self._find(match)
            log.log_head.check_row(match, row)
            log.row = row
        self._subscriptions.notify(match)

    def read(self, match: str, since: int = 0) -> StoredLog:
        """Give the log from event `since` on, and its sheet."""
        with self._lock:
            log = self._find(match)
            since = min(max(since, 0), len(log.events))
            return StoredLog(log.head, since, tuple(log.events[since:]), log.end, log.row)

    def list(self, query: Query = NEWEST) -> Iterator[tuple[str, MetadataRow]]:
        """Give the ids and sheets that the query asks for."""
        with self._lock:
            self._check_open()
            metadata_rows = [(match, log.row) for match, log in self._logs.items()]
        return iter(choose(metadata_rows, query))

    def subscribe(self, match: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after each change of the match; the answer ends that."""
        with self._lock:
            self._find(match)
        return self._subscriptions.subscribe(match, callback)

    def close(self) -> None:
        """Forget everything."""
        with self._lock:
            self._closed = True
            self._logs.clear()
        self._subscriptions.close()

    def _find(self, match: str) -> _Log:
        self._check_open()
        check_known(match)
        if match not in self._logs:
            raise NoMatch(match)
        return self._logs[match]

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError(NAME, Message("store-closed", "it is closed"))


def choose(metadata_rows: Iterable[tuple[str, MetadataRow]], query: Query) -> list[tuple[str, MetadataRow]]:
    """Choose, of all sheets, those that the query asks for, in the order in which a store lists them."""

    def fits(row: MetadataRow) -> bool:
        asked = ((query.game, row.game), (query.status, row.status), (query.public, row.public))
        return all(wanted is None or wanted == there for wanted, there in asked)

    def place(changed: int, match: str) -> tuple[int, str]:
        return -changed, match

    rows = sorted((place(row.changed_at_ms, match), match, row) for match, row in metadata_rows if fits(row))
    after = None if query.before is None else place(*query.before)
    page = [(match, row) for where, match, row in rows if after is None or where > after]
    return page[: max(query.limit, 0)]
