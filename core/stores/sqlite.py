"""A store in one SQLite file, the embedded default, for any number of threads and processes of one machine."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from math import inf
from pathlib import Path
from threading import Lock
from time import monotonic, sleep, time_ns
from typing import TypeVar

from attrs import astuple

from ..errors import KifuError, Message, NoMatch, StoreError, os_error_message
from . import sql
from .store import (
    HEADER_ALONE,
    NEWEST,
    Append,
    Change,
    Claim,
    Create,
    Delete,
    LogHead,
    MetadataRow,
    Query,
    Schedule,
    StoredLog,
    Subscriptions,
    changed_by,
    check_id,
    check_known,
    commit_one,
    each_made,
)

T = TypeVar("T")
OPENING_TIMEOUT_S = 60.0
"""How long opening waits for another process, which may be migrating the schema."""
TURN_S = 0.0005
"""How often it asks meanwhile whether it is free."""
POLL_S = 0.02
"""How often it is looked whether another process has changed the file."""
FAILURES = (sqlite3.Error, OverflowError, ValueError)
"""What SQLite raises, and what does not fit into it: a lone surrogate, or a zero byte in a name."""
BOOT = Path("/proc/sys/kernel/random/boot_id")
MAX_APART_MS = 24 * 60 * 60 * 1000
"""How far the store's clock and the machine's may be apart when it is opened."""
APPLICATION_ID = 0x6B696675
"""The mark of our files in SQLite's header: `kifu` in ASCII."""

STEPS: sql.Steps = (
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
    ("CREATE TABLE probes (key INTEGER PRIMARY KEY, content BLOB NOT NULL)",),
)
"""The statements that make each version of the schema from the one before; version 0 is an empty file."""
PLACES = (
    "CREATE TABLE IF NOT EXISTS places (place TEXT PRIMARY KEY, epoch TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS clocks (boot TEXT PRIMARY KEY, ahead INTEGER NOT NULL)",
)

LOG_HEAD = """SELECT key, length(head) > 0, count, ending IS NOT NULL, version,
    coalesce((SELECT seq + 1 FROM events WHERE match = key ORDER BY seq DESC LIMIT 1), 0)
    FROM matches WHERE id = ?"""
APPEND = """UPDATE matches SET head = coalesce(?, head), ending = ?, count = count + ?, tail = coalesce(?, tail)
    WHERE key = ?"""
DUE = "SELECT id, count FROM matches WHERE is_bot = ? AND due <= ? ORDER BY due, id LIMIT ?"
EARLIEST_DUE = "SELECT min(due) FROM matches WHERE is_bot = ? AND due IS NOT NULL"
INSERT = f"INSERT INTO matches (id, head, {sql.COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
UPDATE = "UPDATE matches SET game = ?, status = ?, public = ?, changed = ?, data = ?, version = ? WHERE key = ?"
READ = f"SELECT key, head, ending, count, tail, {sql.COLUMNS} FROM matches WHERE id = ?"  # noqa: S608


class SqliteStore:
    """A store in one SQLite file, in WAL mode; each change is on disk before it is acknowledged."""

    def __init__(self, file: str | Path, *, steps: sql.Steps = STEPS) -> None:
        self._path = str(Path(file).absolute())
        self._name = f"sqlite:{file}"
        self._closed = False
        self._idle: list[sqlite3.Connection] = []
        self._write_lock = Lock()
        self._refused_s = -inf
        """When a change was last refused because another program held the lock, by `monotonic`."""
        self._watch: sqlite3.Connection | None = None
        self._files: dict[str, tuple[int, int]] = {}
        """The files as they were opened: device and inode by path."""
        with self._translated():
            self._writer = self._connect()
            try:
                _prepare(self._writer, self._name, steps)
                _when_free(partial(self._writer.execute, "BEGIN IMMEDIATE"), OPENING_TIMEOUT_S)
                _do_within(self._writer, self._find_place)
                self._files = _identities((self._path, f"{self._path}-wal"))
            except BaseException:
                self._writer.close()
                raise
        self._writer.execute("PRAGMA busy_timeout = 0")
        self._subscriptions = Subscriptions(self._poll)

    def commit(self, changes: Sequence[Change]) -> Sequence[KifuError | None]:
        """Make changes in one transaction; return what became of each."""
        try:
            answers = self._write(lambda db: each_made(changes, partial(self._make, db)))
        except StoreError as failed:
            if len(changes) == 1 or _is_busy(failed.__cause__):
                return [failed] * len(changes)
            return each_made(changes, partial(commit_one, self))  # so that only the faulty one fails
        for match in changed_by(changes, answers):
            self._subscriptions.notify(match)
        return answers

    def _make(self, db: sqlite3.Connection, change: Change) -> None:
        """Make one change in the present transaction; raises a `KifuError` before anything is written."""
        check_id(self._name, change)
        found = self._find(db, change.match)
        key, log_head = (0, None) if found is None else found
        change.check(log_head)
        if isinstance(change, Create):
            db.execute(INSERT, (change.match, change.header, *astuple(change.row)))
            return
        if isinstance(change, Delete):
            db.execute("DELETE FROM events WHERE match = ?", (key,))
            db.execute("DELETE FROM matches WHERE key = ?", (key,))
            return
        if isinstance(change, Append):
            for seq, body in enumerate(change.events, change.expected_events):
                db.execute("INSERT INTO events VALUES (?, ?, ?)", (key, seq, body))
            db.execute(APPEND, (change.header, change.end, len(change.events), change.tail, key))
        if change.due is not None:
            db.execute(
                "UPDATE matches SET due = ?, is_bot = ? WHERE key = ?", (change.due.at_ms, change.due.is_bot, key)
            )
        if not isinstance(change, Schedule) and change.row is not None:
            db.execute(UPDATE, (*astuple(change.row), key))

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
        stored = StoredLog(header, min(since, count), events, end, sql.row_of(*columns))
        sql.check_whole(self._name, match, stored.count, count, stored.events, tail)
        return stored

    def list(self, query: Query = NEWEST) -> Iterator[tuple[str, MetadataRow]]:
        """Return the ids and metadata rows that fit the query."""
        with self._reading() as db:
            found = sql.list_query(query, "matches", "?")
            rows = db.execute(*found).fetchall() if found else []
        return iter([(match, sql.row_of(*columns)) for match, *columns in rows])

    def claim(self, now_ms: int, until_ms: int, limit: int, *, is_bot: bool) -> Sequence[Claim]:
        """Claim the matches in which something is due now; they are due again at `until_ms`."""
        with self._reading() as db:  # which needs no lock: mostly nothing is due
            if not db.execute(DUE, (is_bot, now_ms, max(limit, 0))).fetchall():
                return []

        def claimed(db: sqlite3.Connection) -> Sequence[Claim]:
            found = [Claim(*row) for row in db.execute(DUE, (is_bot, now_ms, max(limit, 0)))]
            db.executemany("UPDATE matches SET due = ? WHERE id = ?", [(until_ms, each.match) for each in found])
            return found

        return self._write(claimed)

    def earliest_due(self) -> int | None:
        """Return when something is next due in any match."""
        with self._reading() as db:
            found = [db.execute(EARLIEST_DUE, (is_bot,)).fetchone()[0] for is_bot in (False, True)]
        return min((at_ms for at_ms in found if at_ms is not None), default=None)

    def now_ms(self) -> int:
        """Return the time by the machine's clock, as the first had it who opened the store since the machine began."""
        return self._ahead_ms + _running_ms()

    def _find_place(self, db: sqlite3.Connection) -> None:
        """Note the epoch, a new one in another file, and how far the clock is ahead of how long the machine runs."""
        for table in PLACES:
            db.execute(table)
        place = "{}:{}".format(*_identities([self._path])[self._path])
        row = db.execute("SELECT epoch FROM places WHERE place = ?", (place,)).fetchone()
        self.epoch = sql.new_epoch() if row is None else row[0]
        db.execute("DELETE FROM places")
        db.execute("INSERT INTO places VALUES (?, ?)", (place, self.epoch))
        row = db.execute("SELECT ahead FROM clocks WHERE boot = ?", (_boot(),)).fetchone()
        wall_ms = time_ns() // 1_000_000
        if row is None or abs(row[0] + _running_ms() - wall_ms) > MAX_APART_MS:
            row = (wall_ms - _running_ms(),)
        self._ahead_ms = int(row[0])
        db.execute("DELETE FROM clocks")
        db.execute("INSERT INTO clocks VALUES (?, ?)", (_boot(), self._ahead_ms))

    def probe(self) -> None:
        """Write bytes as a change does, and read them back."""
        key, content = int.from_bytes(os.urandom(7)), os.urandom(sql.PROBE_BYTES)
        self._write(lambda db: db.execute("INSERT INTO probes VALUES (?, ?)", (key, content)))
        with self._reading() as db:
            db.execute("SELECT seq FROM events LIMIT 1").fetchone()
            row = db.execute("SELECT content FROM probes WHERE key = ?", (key,)).fetchone()
        self._write(lambda db: db.execute("DELETE FROM probes WHERE key = ?", (key,)))
        sql.check_probe(self._name, content, b"" if row is None else row[0])

    def subscribe(self, match: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` after each change of the match by any process. Returns a function that unsubscribes."""
        self.read(match, HEADER_ALONE)
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

    def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do work in one transaction of the writing connection; return its value."""
        with self._write_lock:  # no generator here: two of them take a hundredth of a command
            self._check_there()
            has_waited = monotonic() < self._refused_s + sql.LOCK_TIMEOUT_S  # and others need not
            try:
                _when_free(partial(self._writer.execute, "BEGIN IMMEDIATE"), 0 if has_waited else sql.LOCK_TIMEOUT_S)
                self._refused_s = -inf
                return _do_within(self._writer, work)
            except FAILURES as cause:
                if _is_busy(cause):
                    self._refused_s = monotonic()
                raise StoreError(self._name, os_error_message(cause)) from cause

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection in a read transaction."""
        with self._translated():
            try:
                db = self._idle.pop()
            except IndexError:
                db = self._connect()
            try:
                db.execute("BEGIN")
                try:
                    yield db
                finally:
                    with suppress(sqlite3.Error):
                        db.execute("ROLLBACK")
            finally:
                self._idle.append(db)
                if self._closed:
                    self._drain()

    def _drain(self) -> None:
        """Close the idle connections."""
        with suppress(IndexError):
            while True:
                self._idle.pop().close()

    def _find(self, db: sqlite3.Connection, match: str) -> tuple[int, LogHead] | None:
        """Return the key and the head of a log, None if there is none; raises `StoreError` if it is shorter now."""
        row = db.execute(LOG_HEAD, (match,)).fetchone()
        if row is None:
            return None
        key, begun, count, ended, version, there = row
        if there != count:
            sql.check_whole(self._name, match, there, count)
        return key, LogHead(bool(begun), count, bool(ended), version)

    def _poll(self, subscriptions: Subscriptions) -> None:
        """Notify of changes by any process, while there are subscriptions."""
        polled: tuple[object, Collection[str]] = (None, ())
        while not subscriptions.stopped.wait(POLL_S):
            subscriptions.wanted.wait()
            with suppress(Exception):  # the store fails: its callers see that, and the next poll may succeed
                if self._watch is None:
                    self._watch = self._connect()
                now = self._watch.execute("PRAGMA data_version").fetchone(), subscriptions.matches()
                if now != polled:
                    subscriptions.compare({match: self._find(self._watch, match) for match in now[1]})
                    polled = now

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, timeout=OPENING_TIMEOUT_S, isolation_level=None, check_same_thread=False)
        try:
            db.execute("PRAGMA synchronous = FULL")
        except BaseException:
            db.close()
            raise
        return db

    def _check_there(self) -> None:
        """Raise `StoreError` if it is closed, or its file is not at its path: what is written to it would be lost."""
        if self._closed:
            raise StoreError(self._name, Message("store-closed", "it is closed"))
        if (there := _identities(self._files)) != self._files:
            moved = next(path for path in there if there[path] != self._files[path])
            english = "{file} was moved or removed while it was open: put it back, and start again"
            raise StoreError(self._name, Message("store-moved", english, file=Path(moved).name))

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Raise what SQLite raises, and what does not fit into it, as `StoreError`."""
        self._check_there()
        try:
            yield
        except FAILURES as cause:
            raise StoreError(self._name, os_error_message(cause)) from cause


def _identities(paths: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Return the device and the inode of each file; zeros if there is none, or no such numbers."""
    found = dict.fromkeys(paths, (0, 0))
    for path in found:
        with suppress(OSError):
            there = os.stat(path)
            found[path] = there.st_dev, there.st_ino
    return found


def _boot() -> str:
    """Return what names the time since the machine was started, where the system tells it."""
    try:
        return BOOT.read_text("ascii").strip()
    except OSError:
        return ""


def _running_ms() -> int:
    """Return for how long the machine has run, asleep or not; whoever sets its clock does not change this."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return (time.monotonic_ns() if clock is None else time.clock_gettime_ns(clock)) // 1_000_000


def _do_within(db: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    """Do work in the transaction that has begun, and commit it, or roll it back; return its value."""
    try:
        value = work(db)
        db.execute("COMMIT")
        return value
    except BaseException:
        with suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise


def _when_free(work: Callable[[], object], timeout_s: float) -> None:
    """Do work again until no other process holds the lock that it needs.

    SQLite's own handler waits longer each time, so that of two busy writers one may never get its turn.
    """
    until_s = monotonic() + timeout_s
    while True:
        try:
            work()
            return
        except sqlite3.OperationalError as failed:
            if not _is_busy(failed) or monotonic() >= until_s:
                raise
        sleep(TURN_S)


def _is_busy(failed: BaseException | None) -> bool:
    return getattr(failed, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def _prepare(db: sqlite3.Connection, name: str, steps: sql.Steps) -> None:
    """Migrate the schema of a file that is empty or ours; raises `StoreError` for another program's."""
    # read first: another process may be making them
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (application_id,) = db.execute("PRAGMA application_id").fetchone()
    if tables and application_id != APPLICATION_ID:
        raise StoreError(name, Message("foreign-database", "this is another program's database"))
    _when_free(lambda: db.execute("PRAGMA journal_mode = WAL"), OPENING_TIMEOUT_S)
    db.execute("BEGIN IMMEDIATE")
    _do_within(db, partial(_migrate, name, steps))


def _migrate(name: str, steps: sql.Steps, db: sqlite3.Connection) -> None:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    for statement in sql.migrate(name, version, steps):
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {len(steps)}")
