"""A store in one SQLite file: the embedded default; any number of threads and processes of one machine."""

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

WAIT = 60.0
"""Seconds to wait for another process that writes."""
OURS = 0x6B696675
"""What stands in the head of the file, to know it by."""

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
"""What makes each version of the schema from the one before it; version 0 is an empty file."""

STANDING = """SELECT key, length(head) > 0,
    coalesce((SELECT seq + 1 FROM events WHERE match = key ORDER BY seq DESC LIMIT 1), 0),
    ending IS NOT NULL, version FROM matches WHERE id = ?"""
INSERT = f"INSERT INTO matches (id, head, {COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
REVISE = "UPDATE matches SET game = ?, status = ?, public = ?, changed = ?, data = ?, version = ? WHERE key = ?"
READ = f"SELECT key, head, ending, {COLUMNS} FROM matches WHERE id = ?"  # noqa: S608


class SqliteStore:
    """Logs in one SQLite file, in WAL mode, each change on disk before it is acknowledged.

    Changes that are asked for at the same time share a transaction.
    """

    def __init__(self, file: str | Path, *, steps: Steps = STEPS) -> None:
        self._path = str(Path(file).absolute())
        self._name = f"sqlite:{file}"
        self._closed = False
        self._idle: list[sqlite3.Connection] = []
        self._turns = GroupCommit(self._commit)
        self._turn = Lock()
        self._seen: tuple[object, Collection[str]] = (None, ())
        self._watch: sqlite3.Connection | None = None
        with self._translated():
            self._writer = self._connect()
            try:
                _prepare(self._writer, self._name, steps)
            except BaseException:
                self._writer.close()
                raise
        self._subscriptions = Subscriptions(polling(self._look, 0.02))

    def create(self, match: str, header: bytes, row: MetadataRow) -> None:
        """Begin a log, or a sheet whose log begins later."""
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
        """Add events, and whatever else comes with them."""

        def change(db: sqlite3.Connection) -> None:
            key, log_head = _log_head(db, match)
            log_head.check_append(match, expected_events, events, header, end, row, expected_version)
            rows = [(key, seq, body) for seq, body in enumerate(events, expected_events)]
            db.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
            if header is not None or end is not None:
                both = "UPDATE matches SET head = coalesce(?, head), ending = ? WHERE key = ?"
                db.execute(both, (header, end, key))
            if row is not None:
                db.execute(REVISE, (*values_of(row), key))

        self._make(match, change)

    def update(self, match: str, row: MetadataRow) -> None:
        """Put the next sheet in the place of the one that is kept."""

        def change(db: sqlite3.Connection) -> None:
            key, log_head = _log_head(db, match)
            log_head.check_row(match, row)
            db.execute(REVISE, (*values_of(row), key))

        self._make(match, change)

    def read(self, match: str, since: int = 0) -> StoredLog:
        """Give the log from event `since` on, and its sheet."""
        since = max(since, 0)
        with self._reading() as db:
            check_known(match)
            row = db.execute(READ, (match,)).fetchone()
            if row is None:
                raise NoMatch(match)
            key, head, end, *columns = row
            found = "SELECT body FROM events WHERE match = ? AND seq >= ? ORDER BY seq"
            events = tuple(body for (body,) in db.execute(found, (key, since)))
            if since and not events:
                since = min(since, _log_head(db, match)[1].count)
        return StoredLog(head, since, events, end, row_of(*columns))

    def list(self, query: Query = NEWEST) -> Iterator[tuple[str, MetadataRow]]:
        """Give the ids and sheets that the query asks for."""
        with self._reading() as db:
            asked = list_query(query, "matches", "?")
            rows = db.execute(*asked).fetchall() if asked else []
        return iter([(match, row_of(*columns)) for match, *columns in rows])

    def subscribe(self, match: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` soon after the match has changed by whomever; the answer ends that."""
        with self._reading() as db:
            _log_head(db, match)
        return self._subscriptions.subscribe(match, callback)

    def close(self) -> None:
        """Close the file."""
        self._closed = True
        self._subscriptions.close()
        with self._turn:
            self._writer.close()
            self._drain()
            if self._watch is not None:
                self._watch.close()

    def _make(self, match: str, change: Change) -> None:
        self._turns.submit(change)
        self._subscriptions.notify(match)

    def _commit(self, batch: Sequence[PendingChange[Change]]) -> None:
        """Make these changes in one transaction; where it fails each in its own, so that none pays for another."""
        try:
            with self._turn, self._translated(), _transaction(self._writer):
                for asked in batch:
                    try:
                        asked.change(self._writer)
                    except (Conflict, NoMatch) as refused:  # before anything was written
                        asked.failure = refused
        except StoreError as failed:
            if len(batch) == 1:
                batch[0].failure = failed
                return
            for asked in batch:
                asked.failure = None
                self._commit([asked])
        except BaseException:
            for asked in batch:
                asked.failure = StoreError(self._name, Message("interrupted", "it was interrupted"))
            raise

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection for one glance at the file."""
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
        """Close the connections that nobody uses."""
        with suppress(IndexError):
            while True:
                self._idle.pop().close()

    def _look(self, matches: Collection[str]) -> Mapping[str, Hashable]:
        """Give the standings of these matches, if anything has changed in the file since they were looked at."""
        if self._watch is None:
            self._watch = self._connect()
        now = self._watch.execute("PRAGMA data_version").fetchone(), matches
        if now == self._seen:
            return {}
        stamps = {}
        for match in matches:
            with suppress(NoMatch):
                stamps[match] = _log_head(self._watch, match)
        self._seen = now
        return stamps

    def _connect(self) -> sqlite3.Connection:
        if self._closed:
            raise StoreError(self._name, Message("store-closed", "it is closed"))
        db = sqlite3.connect(self._path, timeout=WAIT, isolation_level=None, check_same_thread=False)
        try:
            db.execute("PRAGMA synchronous = FULL")
        except BaseException:
            db.close()
            raise
        return db

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn what SQLite raises, and what does not fit into it, into `StoreError`."""
        if self._closed:
            raise StoreError(self._name, Message("store-closed", "it is closed"))
        try:
            yield
        except (
            sqlite3.Error,
            OverflowError,
            ValueError,
        ) as cause:  # ValueError: half a letter, or a zero byte in a name
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
    row = db.execute(STANDING, (match,)).fetchone()
    if row is None:
        raise NoMatch(match)
    key, begun, count, ended, version = row
    return key, LogHead(bool(begun), count, bool(ended), version)


def _prepare(db: sqlite3.Connection, name: str, steps: Steps) -> None:
    """Make the schema that there shall be, in a file that is empty or ours."""
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()  # first: another may just be making them
    (ours,) = db.execute("PRAGMA application_id").fetchone()
    if tables and ours != OURS:
        raise StoreError(name, Message("foreign-database", "this is another program's database"))
    db.execute("PRAGMA journal_mode = WAL")
    with _transaction(db):
        (version,) = db.execute("PRAGMA user_version").fetchone()
        for statement in migrate(name, version, steps):
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {OURS}")
        db.execute(f"PRAGMA user_version = {len(steps)}")
