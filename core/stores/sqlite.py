"""A store in one SQLite file, the embedded default, for any number of threads and processes of one machine."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from ..errors import Conflict, KifuError, Message, NoMatch, StoreError, os_error_message
from .group_commit import GroupCommit, PendingChange
from .schema import Steps, migrate
from .sql import COLUMNS, list_query, row_of, values_of
from .store import (
    NEWEST,
    Append,
    Due,
    LogHead,
    MetadataRow,
    Query,
    StoredLog,
    check_known,
    check_new,
    check_whole,
    tail_of,
)
from .subscriptions import Subscriptions, polling

Change = Callable[[sqlite3.Connection], None]

OPENING_TIMEOUT_S = 60.0
"""How long opening waits for another process, which may be migrating the schema."""
BUSY_TIMEOUT_S = 2.0
"""How long a change waits for another process that writes."""
STILL_BUSY_TIMEOUT_S = 0.1
"""How long it waits after another change has waited in vain."""
NO_ROW = MetadataRow("", "", False, 0, b"")
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
    (
        "ALTER TABLE matches ADD COLUMN count INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE matches ADD COLUMN tail BLOB NOT NULL DEFAULT x''",
        "ALTER TABLE matches ADD COLUMN due INTEGER",
        "ALTER TABLE matches ADD COLUMN is_bot INTEGER NOT NULL DEFAULT 0",
        """UPDATE matches SET due = CASE status WHEN 'going' THEN 0 END, count =
            coalesce((SELECT seq + 1 FROM events WHERE match = key ORDER BY seq DESC LIMIT 1), 0)""",
        "CREATE INDEX first_due ON matches (is_bot, due) WHERE due IS NOT NULL",
        "CREATE INDEX newest_public ON matches (public, changed DESC, id)",
    ),
)
"""The statements that make each version of the schema from the one before; version 0 is an empty file."""

LOG_HEAD = """SELECT key, length(head) > 0, count, ending IS NOT NULL, version,
    coalesce((SELECT seq + 1 FROM events WHERE match = key ORDER BY seq DESC LIMIT 1), 0)
    FROM matches WHERE id = ?"""
APPEND = """UPDATE matches SET head = coalesce(?, head), ending = ?, count = count + ?, tail = coalesce(?, tail)
    WHERE key = ?"""
DUE = "SELECT id FROM matches WHERE is_bot = ? AND due <= ? ORDER BY due, id LIMIT ?"
EARLIEST_DUE = "SELECT min(due) FROM matches WHERE is_bot = ? AND due IS NOT NULL"
INSERT = f"INSERT INTO matches (id, head, {COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
UPDATE = "UPDATE matches SET game = ?, status = ?, public = ?, changed = ?, data = ?, version = ? WHERE key = ?"
READ = f"SELECT key, head, ending, count, tail, {COLUMNS} FROM matches WHERE id = ?"  # noqa: S608


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
        self._still_busy = False
        self._files: dict[str, tuple[int, int]] = {}
        """The files as they were opened: device and inode by path."""
        with self._translated():
            self._writer = self._connect()
            try:
                _prepare(self._writer, self._name, steps)
                self._files = {path: _identity(path) for path in (self._path, f"{self._path}-wal")}
            except BaseException:
                self._writer.close()
                raise
        self._subscriptions = Subscriptions(polling(self._stamps, 0.02))

    def create(self, match: str, header: bytes, row: MetadataRow) -> None:
        """Store the metadata row of a new match, and its header unless it is empty."""
        check_new(self._name, match)

        def change(db: sqlite3.Connection) -> None:
            with suppress(NoMatch):
                raise Conflict(match, 0, self._log_head(db, match)[1].count)
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
        due: Due | None = None,
    ) -> None:
        """Append events, with the header, the end record, the next row and the due time that are given."""

        append = Append(match, expected_events, events, header, end, row, expected_version, due)
        self._make(match, lambda db: self._append(db, append))

    def append_together(self, appends: Sequence[Append]) -> Sequence[KifuError | None]:
        """Make appends to different matches in one transaction; return the error of each, None if it is stored."""
        failures: list[KifuError | None] = []

        def change(db: sqlite3.Connection) -> None:
            failures.clear()
            for each in appends:
                try:
                    self._append(db, each)
                    failures.append(None)
                except (Conflict, NoMatch) as refused:  # before anything was written
                    failures.append(refused)

        try:
            self._group_commit.submit(change)
        except StoreError as failed:
            return [failed if self._still_busy else each.failure_in(self) for each in appends]
        for each, failure in zip(appends, failures, strict=True):
            if failure is None:
                self._subscriptions.notify(each.match)
        return failures

    def _append(self, db: sqlite3.Connection, append: Append) -> None:
        """Make one append in the present transaction; raises `Conflict` or `NoMatch` before anything is written."""
        key, log_head = self._log_head(db, append.match)
        append.check(log_head)
        events, due, row = append.events, append.due, append.row
        db.executemany(
            "INSERT INTO events VALUES (?, ?, ?)",
            [(key, seq, body) for seq, body in enumerate(events, append.expected_events)],
        )
        db.execute(APPEND, (append.header, append.end, len(events), tail_of(events), key))
        if due is not None:
            db.execute("UPDATE matches SET due = ?, is_bot = ? WHERE key = ?", (due.at_ms, due.is_bot, key))
        if row is not None:
            db.execute(UPDATE, (*values_of(row), key))

    def update(self, match: str, row: MetadataRow) -> None:
        """Replace the metadata row by the next one."""

        def change(db: sqlite3.Connection) -> None:
            key, log_head = self._log_head(db, match)
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
            key, header, end, count, tail, *columns = row
            bodies = "SELECT body FROM events WHERE match = ? AND seq >= ? ORDER BY seq"
            events = tuple(body for (body,) in db.execute(bodies, (key, since)))
        stored = StoredLog(header, min(since, count), events, end, row_of(*columns))
        check_whole(self._name, match, stored, count, tail)
        return stored

    def list(self, query: Query = NEWEST) -> Iterator[tuple[str, MetadataRow]]:
        """Return the ids and metadata rows that fit the query."""
        with self._reading() as db:
            found = list_query(query, "matches", "?")
            rows = db.execute(*found).fetchall() if found else []
        return iter([(match, row_of(*columns)) for match, *columns in rows])

    def schedule(self, match: str, expected_events: int, due: Due) -> None:
        """Set when something is due in the match."""

        def change(db: sqlite3.Connection) -> None:
            key, log_head = self._log_head(db, match)
            if log_head.count != expected_events:
                raise Conflict(match, expected_events, log_head.count)
            db.execute("UPDATE matches SET due = ?, is_bot = ? WHERE key = ?", (due.at_ms, due.is_bot, key))

        self._group_commit.submit(change)

    def claim(self, now_ms: int, until_ms: int, limit: int, *, is_bot: bool) -> Sequence[str]:
        """Return the matches in which something is due now; they are due again at `until_ms`."""
        claimed: list[str] = []
        with self._reading() as db:  # which needs no lock: mostly nothing is due
            if not db.execute(DUE, (is_bot, now_ms, max(limit, 0))).fetchall():
                return claimed

        def change(db: sqlite3.Connection) -> None:
            claimed[:] = [match for (match,) in db.execute(DUE, (is_bot, now_ms, max(limit, 0)))]
            changes = [(until_ms, match) for match in claimed]
            db.executemany("UPDATE matches SET due = ? WHERE id = ?", changes)

        self._group_commit.submit(change)
        return claimed

    def earliest_due(self) -> int | None:
        """Return when something is next due in any match."""
        with self._reading() as db:
            found = [db.execute(EARLIEST_DUE, (is_bot,)).fetchone()[0] for is_bot in (False, True)]
        return min((at_ms for at_ms in found if at_ms is not None), default=None)

    def delete(self, match: str, version: int) -> None:
        """Delete a match with its log."""

        def change(db: sqlite3.Connection) -> None:
            key, log_head = self._log_head(db, match)
            if log_head.version != version:
                raise Conflict(match, log_head.count, log_head.count)
            db.execute("DELETE FROM events WHERE match = ?", (key,))
            db.execute("DELETE FROM matches WHERE key = ?", (key,))

        self._make(match, change)

    def probe(self) -> None:
        """Write the mark of our files once more."""
        self._group_commit.submit(_mark)

    def subscribe(self, match: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` after each change of the match by any process. Returns a function that unsubscribes."""
        with self._reading() as db:
            self._log_head(db, match)
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
            with self._write_lock, self._translated(), self._waiting(), _transaction(self._writer):
                for pending in batch:
                    try:
                        pending.change(self._writer)
                    except (Conflict, NoMatch) as refused:  # before anything was written
                        pending.failure = refused
        except StoreError as failed:
            if len(batch) == 1 or self._still_busy:
                for pending in batch:
                    pending.failure = failed
                return
            for pending in batch:
                pending.failure = None
                self._commit([pending])
        except BaseException:
            for pending in batch:
                pending.failure = StoreError(self._name, Message("interrupted", "it was interrupted"))
            raise

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """Let the writer wait for a lock held elsewhere, but not long again if that was in vain the last time."""
        wait_s = STILL_BUSY_TIMEOUT_S if self._still_busy else BUSY_TIMEOUT_S
        self._writer.execute(f"PRAGMA busy_timeout = {int(1000 * wait_s)}")
        try:
            yield
        except sqlite3.Error as failed:
            self._still_busy = failed.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            raise
        self._still_busy = False

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

    def _log_head(self, db: sqlite3.Connection, match: str) -> tuple[int, LogHead]:
        """Return the key and the head of a log; raises `StoreError` if it is shorter than it was."""
        check_known(match)
        row = db.execute(LOG_HEAD, (match,)).fetchone()
        if row is None:
            raise NoMatch(match)
        key, begun, count, ended, version, there = row
        if there != count:
            check_whole(self._name, match, StoredLog(b"", there, (), None, NO_ROW), count, b"")
        return key, LogHead(bool(begun), count, bool(ended), version)

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
                stamps[match] = self._log_head(self._watch, match)
        self._polled = now
        return stamps

    def _connect(self) -> sqlite3.Connection:
        if self._closed:
            raise StoreError(self._name, Message("store-closed", "it is closed"))
        db = sqlite3.connect(self._path, timeout=OPENING_TIMEOUT_S, isolation_level=None, check_same_thread=False)
        try:
            db.execute("PRAGMA synchronous = FULL")
        except BaseException:
            db.close()
            raise
        return db

    def _check_files(self) -> None:
        """Raise `StoreError` if another file is at our path, or none: what is written to ours would be lost."""
        for path, identity in self._files.items():
            if _identity(path) != identity:
                english = "{file} was moved or removed while it was open: put it back, and start again"
                raise StoreError(self._name, Message("store-moved", english, file=Path(path).name))

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Raise what SQLite raises, and what does not fit into it, as `StoreError`."""
        if self._closed:
            raise StoreError(self._name, Message("store-closed", "it is closed"))
        self._check_files()
        try:
            yield
        except (
            sqlite3.Error,
            OverflowError,
            ValueError,
        ) as cause:  # ValueError: a lone surrogate, or a zero byte in a name
            raise StoreError(self._name, os_error_message(cause)) from cause


def _identity(path: str) -> tuple[int, int]:
    """Return the device and the inode of a file; zeros if there is none, or no such numbers."""
    try:
        there = os.stat(path)
    except OSError:
        return 0, 0
    return there.st_dev, there.st_ino


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


def _mark(db: sqlite3.Connection) -> None:
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")


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
        _mark(db)
        db.execute(f"PRAGMA user_version = {len(steps)}")
