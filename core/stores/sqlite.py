"""A store in one SQLite file, the embedded default, for any number of threads and processes of one machine."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from ..errors import Conflict, Message, NoMatch, StoreError, os_error_message
from .group_commit import GroupCommit, PendingChange
from .schema import Steps, migrate
from .sql import COLUMNS, list_query, row_of, values_of
from .store import NEWEST, LogHead, MetadataRow, Query, StoredLog, check_known, check_new
from .subscriptions import Subscriptions, polling

Change = Callable[[sqlite3.Connection], None]

BUSY_TIMEOUT_S = 60.0
"""How long to wait for another process that writes."""
APPLICATION_ID = 0x6B696675
"""The mark of our files in SQLite's header: `kifu` in ASCII."""

STEPS: Steps = (
    (
        """CREATE TABLE matches (
            key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, head BLOB NOT NULL, ending BLOB, game TEXT NOT NULL,
            status TEXT NOT NULL, public INTEGER NOT NULL, changed INTEGER NOT NULL, data BLOB NOT NULL,
            version INTEGER NOT NULL)""",
        """CREATE TABLE events (
            match INTEGER NOT NULL REFERENCES matches, seq INTEGER NOT NULL, body BLOB NOT NULL,
            PRIMARY KEY (match, seq)) WITHOUT ROWID""",
        "CREATE INDEX newest ON matches (changed DESC, id)",
        "CREATE INDEX newest_of_status ON matches (status, changed DESC, id)",
    ),
)
"""The statements that make each version of the schema from the one before; version 0 is an empty file."""

LOG_HEAD = """SELECT key, length(head) > 0,
    coalesce((SELECT seq + 1 FROM events WHERE match = key ORDER BY seq DESC LIMIT 1), 0),
    ending IS NOT NULL, version FROM matches WHERE id = ?"""
INSERT = f"INSERT INTO matches (id, head, {COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
UPDATE = "UPDATE matches SET game = ?, status = ?, public = ?, changed = ?, data = ?, version = ? WHERE key = ?"
READ = f"SELECT key, head, ending, {COLUMNS} FROM matches WHERE id = ?"  # noqa: S608


class SqliteStore:
    """A store in one SQLite file, in WAL mode; each change is on disk before it is acknowledged.

    Changes that are submitted at the same time share a transaction.
    """

    def __init__(self, file: str | Path, *, steps: Steps = STEPS) -> None:
        self._path = str(Path(file).absolute())
        self._name = f"sqlite:{file}"
        self._closed = False
        self._idle: list[sqlite3.Connection] = []
        self._group_commit = GroupCommit(self._commit)
        self._write_lock = Lock()
        self._polled: tuple[object, Collection[str]] = (None, ())
        self._watch: sqlite3.Connection | None = None
        with self._translated():
            self._writer = self._connect()
            try:
                _prepare(self._writer, self._name, steps)
            except BaseException:
                self._writer.close()
                raise
        self._subscriptions = Subscriptions(polling(self._stamps, 0.02))

    def create(self, match: str, header: bytes, row: MetadataRow) -> None:
        """Store the metadata row of a new match, and its header unless it is empty."""
        check_new(self._name, match)

        def change(db: sqlite3.Connection) -> None:
            with suppress(NoMatch):
                raise Conflict(match, 0, _log_head(db, match)[1].count)
            db.execute(INSERT, (match, header, *values_of(row)))

        self._make(match, change)

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
        """Append events, with the header, the end record and the next row that are given."""

        def change(db: sqlite3.Connection) -> None:
            key, log_head = _log_head(db, match)
            log_head.check_append(match, expected_events, events, header, end, row, expected_version)
            rows = [(key, seq, body) for seq, body in enumerate(events, expected_events)]
            db.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
            if header is not None or end is not None:
                statement = "UPDATE matches SET head = coalesce(?, head), ending = ? WHERE key = ?"
                db.execute(statement, (header, end, key))
            if row is not None:
                db.execute(UPDATE, (*values_of(row), key))

        self._make(match, change)

    def update(self, match: str, row: MetadataRow) -> None:
        """Replace the metadata row by the next one."""

        def change(db: sqlite3.Connection) -> None:
            key, log_head = _log_head(db, match)
            log_head.check_row(match, row)
            db.execute(UPDATE, (*values_of(row), key))

        self._make(match, change)

    def read(self, match: str, since: int = 0) -> StoredLog:
        """Return the log from event `since` on, and its metadata row."""
        since = max(since, 0)
        with self._reading() as db:
            check_known(match)
            row = db.execute(READ, (match,)).fetchone()
            if row is None:
                raise NoMatch(match)
            key, header, end, *columns = row
            bodies = "SELECT body FROM events WHERE match = ? AND seq >= ? ORDER BY seq"
            events = tuple(body for (body,) in db.execute(bodies, (key, since)))
            if since and not events:
                since = min(since, _log_head(db, match)[1].count)
        return StoredLog(header, since, events, end, row_of(*columns))

    def list(self, query: Query = NEWEST) -> Iterator[tuple[str, MetadataRow]]:
        """Return the ids and metadata rows that fit the query."""
        with self._reading() as db:
            found = list_query(query, "matches", "?")
            rows = db.execute(*found).fetchall() if found else []
        return iter([(match, row_of(*columns)) for match, *columns in rows])

    def subscribe(self, match: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` after each change of the match by any process. Returns a function that unsubscribes."""
        with self._reading() as db:
            _log_head(db, match)
        return self._subscriptions.subscribe(match, callback)

    def close(self) -> None:
        """Close the file."""
        self._closed = True
        self._subscriptions.close()
        with self._write_lock:
            self._writer.close()
            self._drain()
            if self._watch is not None:
                self._watch.close()

    def _make(self, match: str, change: Change) -> None:
        """Commit a change, by group commit, and notify."""
        self._group_commit.submit(change)
        self._subscriptions.notify(match)

    def _commit(self, batch: Sequence[PendingChange[Change]]) -> None:
        """Make these changes in one transaction; if it fails, each in its own, so that only the faulty one fails."""
        try:
            with self._write_lock, self._translated(), _transaction(self._writer):
                for pending in batch:
                    try:
                        pending.change(self._writer)
                    except (Conflict, NoMatch) as refused:  # before anything was written
                        pending.failure = refused
        except StoreError as failed:
            if len(batch) == 1:
                batch[0].failure = failed
                return
            for pending in batch:
                pending.failure = None
                self._commit([pending])
        except BaseException:
            for pending in batch:
                pending.failure = StoreError(self._name, Message("interrupted", "it was interrupted"))
            raise

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection in a read transaction."""
        with self._translated():
            try:
                db = self._idle.pop()
            except IndexError:
                db = self._connect()
            try:
                with _transaction(db, "DEFERRED"):
                    yield db
            finally:
                self._idle.append(db)
                if self._closed:
                    self._drain()

    def _drain(self) -> None:
        """Close the idle connections."""
        with suppress(IndexError):
            while True:
                self._idle.pop().close()

    def _stamps(self, matches: Collection[str]) -> Mapping[str, Hashable]:
        """Return the log head of each of these matches, if the file has changed since they were last polled."""
        if self._watch is None:
            self._watch = self._connect()
        now = self._watch.execute("PRAGMA data_version").fetchone(), matches
        if now == self._polled:
            return {}
        stamps = {}
        for match in matches:
            with suppress(NoMatch):
                stamps[match] = _log_head(self._watch, match)
        self._polled = now
        return stamps

    def _connect(self) -> sqlite3.Connection:
        if self._closed:
            raise StoreError(self._name, Message("store-closed", "it is closed"))
        db = sqlite3.connect(self._path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
        try:
            db.execute("PRAGMA synchronous = FULL")
        except BaseException:
            db.close()
            raise
        return db

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Raise what SQLite raises, and what does not fit into it, as `StoreError`."""
        if self._closed:
            raise StoreError(self._name, Message("store-closed", "it is closed"))
        try:
            yield
        except (
            sqlite3.Error,
            OverflowError,
            ValueError,
        ) as cause:  # ValueError: a lone surrogate, or a zero byte in a name
            raise StoreError(self._name, os_error_message(cause)) from cause


@contextmanager
def _transaction(db: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    db.execute(f"BEGIN {kind}")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise


def _log_head(db: sqlite3.Connection, match: str) -> tuple[int, LogHead]:
    check_known(match)
    row = db.execute(LOG_HEAD, (match,)).fetchone()
    if row is None:
        raise NoMatch(match)
    key, begun, count, ended, version = row
    return key, LogHead(bool(begun), count, bool(ended), version)


def _prepare(db: sqlite3.Connection, name: str, steps: Steps) -> None:
    """Migrate the schema of a file that is empty or ours; raises `StoreError` for another program's."""
    (tables,) = db.execute(
        "SELECT count(*) FROM sqlite_master"
    ).fetchone()  # read first: another process may be making them
    (application_id,) = db.execute("PRAGMA application_id").fetchone()
    if tables and application_id != APPLICATION_ID:
        raise StoreError(name, Message("foreign-database", "this is another program's database"))
    db.execute("PRAGMA journal_mode = WAL")
    with _transaction(db):
        (version,) = db.execute("PRAGMA user_version").fetchone()
        for statement in migrate(name, version, steps):
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {len(steps)}")
