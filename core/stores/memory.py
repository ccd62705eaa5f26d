"""A store in memory: for tests, and for matches that may be lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from secrets import token_hex
from threading import Lock
from time import monotonic_ns, time_ns

from attrs import define

from ..errors import KifuError, Message, NoMatch, StoreError
from .store import (
    NEWEST,
    Append,
    Change,
    Claim,
    Create,
    Delete,
    Due,
    LogHead,
    MetadataRow,
    Query,
    Schedule,
    StoredLog,
    Subscriptions,
    changed_by,
    check_id,
    check_known,
    each_made,
)

NAME = "memory:"
NOTHING = Due(None)


@define
class _Log:
    header: bytes
    events: list[bytes]
    end: bytes | None
    row: MetadataRow
    due: Due = NOTHING

    @property
    def log_head(self) -> LogHead:
        return LogHead(bool(self.header), len(self.events), self.end is not None, self.row.version)


class MemoryStore:
    """A store whose logs live as long as the process."""

    def __init__(self) -> None:
        self._logs: dict[str, _Log] = {}
        self._lock = Lock()
        self._subscriptions = Subscriptions()
        self._closed = False
        self._ahead_ms = (time_ns() - monotonic_ns()) // 1_000_000
        self.epoch = token_hex(8)

    def commit(self, changes: Sequence[Change]) -> Sequence[KifuError | None]:
        """Make changes; return what became of each."""
        with self._lock:
            answers = each_made(changes, self._make)
        for match in changed_by(changes, answers):
            self._subscriptions.notify(match)
        return answers

    def _make(self, change: Change) -> None:
        """Make one change under the lock."""
        self._check_open()
        check_id(NAME, change)
        log = self._logs.get(change.match)
        change.check(None if log is None else log.log_head)
        if isinstance(change, Create):
            self._logs[change.match] = _Log(bytes(change.header), [], None, change.row)
            return
        assert log is not None, "the change was checked"
        if isinstance(change, Delete):
            del self._logs[change.match]
            return
        log.due = change.due or log.due
        if isinstance(change, Append):
            log.header, log.end = change.header or log.header, change.end
            log.events.extend(change.events)
        if not isinstance(change, Schedule):
            log.row = change.row or log.row

    def read(self, match: str, since: int = 0) -> StoredLog:
        """Return the log from event `since` on, and its metadata row."""
        with self._lock:
            log = self._find(match)
            since = min(max(since, 0), len(log.events))
            return StoredLog(log.header, since, tuple(log.events[since:]), log.end, log.row)

    def list(self, query: Query = NEWEST) -> Iterator[tuple[str, MetadataRow]]:
        """Return the ids and metadata rows that fit the query."""
        with self._lock:
            self._check_open()
            rows = [(match, log.row) for match, log in self._logs.items()]
        return iter(choose(rows, query))

    def claim(self, now_ms: int, until_ms: int, limit: int, *, is_bot: bool) -> Sequence[Claim]:
        """Claim the matches in which something is due now; they are due again at `until_ms`."""
        with self._lock:
            self._check_open()
            each_due = ((log.due.at_ms, match) for match, log in self._logs.items() if log.due.is_bot == is_bot)
            found = sorted((at_ms, match) for at_ms, match in each_due if at_ms is not None and at_ms <= now_ms)
            claimed = [Claim(match, len(self._logs[match].events)) for _, match in found[: max(limit, 0)]]
            for claim in claimed:
                self._logs[claim.match].due = Due(until_ms, is_bot)
        return claimed

    def earliest_due(self) -> int | None:
        """Return when something is next due in any match."""
        with self._lock:
            self._check_open()
            return min((log.due.at_ms for log in self._logs.values() if log.due.at_ms is not None), default=None)

    def now_ms(self) -> int:
        """Return the time by the machine's clock, as it was when the store was opened, and what has gone by since."""
        return self._ahead_ms + monotonic_ns() // 1_000_000

    def probe(self) -> None:
        """Raise `StoreError` if it is closed."""
        with self._lock:
            self._check_open()

    def subscribe(self, match: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` after each change of the match. Returns a function that unsubscribes."""
        with self._lock:
            self._find(match)
        return self._subscriptions.subscribe(match, callback)

    def close(self) -> None:
        """Drop all logs."""
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


def choose(candidates: Iterable[tuple[str, MetadataRow]], query: Query) -> list[tuple[str, MetadataRow]]:
    """Return the ids and rows that fit the query, newest change first, then by id."""

    def fits(row: MetadataRow) -> bool:
        pairs = ((query.game, row.game), (query.status, row.status), (query.public, row.public))
        return all(wanted is None or wanted == actual for wanted, actual in pairs)

    rows = sorted((-row.changed_at_ms, match, row) for match, row in candidates if fits(row))
    after = None if query.before is None else (-query.before[0], query.before[1])
    page = [(match, row) for changed, match, row in rows if after is None or (changed, match) > after]
    return page[: max(query.limit, 0)]
