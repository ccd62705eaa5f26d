"""A store in PostgreSQL, for any number of processes and machines."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from time import monotonic
from typing import Any

from attrs import asdict, astuple

from ..errors import Conflict, KifuError, Message, NoMatch, StoreError, needs_extra
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
    Update,
    changed_by,
    check_id,
    check_known,
    commit_one,
    each_made,
)

with needs_extra(Message("a-store-in-postgres", "a store in PostgreSQL"), "postgres"):
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
    from psycopg.errors import ConnectionFailure

    from .postgres_connections import CALL_S, CHECK_S, Connection, Connections, connect

WAIT_S = 10
POLL_S = 5.0
"""How often changes are polled_at_s for whose notification was lost."""
MAX_CONNECTIONS = 16
LOCK = 0x6B696675
"""The advisory lock under which the schema is migrated."""

STEPS: sql.Steps = (
    (
        """CREATE TABLE kifu_matches (
            key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT COLLATE "C" NOT NULL UNIQUE,
            head BYTEA NOT NULL, count BIGINT NOT NULL DEFAULT 0, ending BYTEA, game TEXT NOT NULL,
            status TEXT NOT NULL, public BOOLEAN NOT NULL, changed BIGINT NOT NULL, data BYTEA NOT NULL,
            version BIGINT NOT NULL) WITH (fillfactor = 70)""",
        "CREATE TABLE kifu_events (match BIGINT, seq BIGINT, body BYTEA NOT NULL, PRIMARY KEY (match, seq))",
        "CREATE INDEX kifu_newest ON kifu_matches (changed DESC, id)",
        "CREATE INDEX kifu_newest_of_status ON kifu_matches (status, changed DESC, id)",
    ),
    (
        """ALTER TABLE kifu_matches ADD COLUMN tail BYTEA NOT NULL DEFAULT '', ADD COLUMN due BIGINT,
            ADD COLUMN is_bot BOOLEAN NOT NULL DEFAULT false""",
        "UPDATE kifu_matches SET due = 0 WHERE status = 'going'",
        "CREATE INDEX kifu_first_due ON kifu_matches (is_bot, due, id) WHERE due IS NOT NULL",
        "CREATE INDEX kifu_newest_public ON kifu_matches (public, changed DESC, id)",
    ),
    ("CREATE TABLE kifu_probes (key BIGINT PRIMARY KEY, content BYTEA NOT NULL)",),
)
"""The statements that make each version of the schema from the one before; version 0 is without our tables."""

INSERT = f"""INSERT INTO kifu_matches (id, head, {sql.COLUMNS}) VALUES (%s, %b, %s, %s, %s, %s, %b, %s)
    ON CONFLICT DO NOTHING RETURNING id"""  # noqa: S608
NEW_ROW = """game = %(game)s, status = %(status)s, public = %(public)s, changed = %(changed_at_ms)s, data = %(data)b,
    version = %(version)s"""
LONGER = """count = count + cardinality(%(events)b::bytea[]), head = coalesce(%(header)b, head),
    tail = coalesce(%(tail)b, tail), ending = %(end)b"""
APPEND = """WITH changed AS ({update}), added AS (
    INSERT INTO kifu_events SELECT key, %(expected_events)s + place - 1, body
    FROM changed, unnest(%(events)b::bytea[]) WITH ORDINALITY AS new (body, place))
SELECT key FROM changed"""
LOG_HEAD = "SELECT length(head) > 0, count, ending IS NOT NULL, version FROM kifu_matches WHERE id = %s"
CLAIM = """WITH first AS (
    SELECT key, due FROM kifu_matches WHERE is_bot = %s AND due <= %s ORDER BY due, id LIMIT %s FOR UPDATE SKIP LOCKED)
UPDATE kifu_matches AS claimed SET due = %s FROM first WHERE claimed.key = first.key RETURNING first.due, id, count"""
EARLIEST_DUE = """SELECT least((SELECT min(due) FROM kifu_matches WHERE NOT is_bot AND due IS NOT NULL),
    (SELECT min(due) FROM kifu_matches WHERE is_bot AND due IS NOT NULL))"""
DELETE = """WITH deleted AS (DELETE FROM kifu_matches WHERE id = %s AND version = %s RETURNING key),
events AS (DELETE FROM kifu_events USING deleted WHERE match = deleted.key)
SELECT key FROM deleted"""
NOW = "SELECT (1000 * extract(epoch FROM clock_timestamp()))::bigint"
PLACE = """SELECT concat_ws(' ', system_identifier, timeline_id, 'kifu_schema'::regclass::oid)
    FROM pg_control_system(), pg_control_checkpoint()"""
"""What is another one after a backup was restored: the cluster, its history, the table."""
STAMPS = "SELECT id, count, version FROM kifu_matches WHERE id = ANY(%s)"
READ = f"""SELECT head, count, tail, ending,
    ARRAY(SELECT body FROM kifu_events WHERE match = key AND seq >= %s ORDER BY seq), {sql.COLUMNS}
    FROM kifu_matches WHERE id = %s"""  # noqa: S608
NOTIFY = """SELECT set_config('synchronous_commit', 'off', true), pg_notify(%s, match)
    FROM unnest(%s::text[]) AS changed (match)"""


class PostgresStore:
    """A store in the tables `kifu_matches` and `kifu_events` of the first schema in the search path.

    Each change is one statement. Changes are committed together before they are acknowledged; then a NOTIFY is sent.
    A call waits `timeout_s` seconds for a connection, and so survives a restart of the server.
    """

    def __init__(self, address: str, *, steps: sql.Steps = STEPS, timeout_s: float = WAIT_S) -> None:
        self._name = _named(address)
        self._address = address
        with self._translated():
            with connect(address) as db, db.transaction():
                self._channel, self.epoch = _prepare(db, self._name, steps)
            self._connections = Connections(address, _configure, MAX_CONNECTIONS, timeout_s)
        self._subscriptions = Subscriptions(self._listen)

    def commit(self, changes: Sequence[Change]) -> Sequence[KifuError | None]:
        """Make changes in one transaction; return what became of each."""
        answers: list[KifuError | None] = [None] * len(changes)
        places = sorted(range(len(changes)), key=lambda place: changes[place].match)  # two hosts lock in one order
        try:
            with self._connection() as db:
                with db.transaction():
                    ordered = [changes[place] for place in places]
                    for place, failure in zip(places, each_made(ordered, partial(self._make, db)), strict=True):
                        answers[place] = failure
                self._notify(db, changed_by(changes, answers))
        except StoreError as failed:
            if len(changes) == 1 or not isinstance(failed.__cause__, psycopg.DataError | UnicodeError | OverflowError):
                return [failed] * len(changes)
            return each_made(changes, partial(commit_one, self))  # so that only the faulty one fails
        return answers

    def _make(self, db: Connection, change: Change) -> None:
        """Make one change, if what is there is what it expects; else raises why it is not."""
        check_id(self._name, change)
        statement: str
        values: tuple[Any, ...] | dict[str, Any]
        match change:
            case Create():
                statement, values = INSERT, (change.match, change.header, *astuple(change.row))
            case Delete():
                statement, values = DELETE, (change.match, change.version)
            case _:
                statement, values = _changing(change)
        if db.execute(statement, values).fetchone() is None:
            row = db.execute(LOG_HEAD, (change.match,)).fetchone()
            log_head = None if row is None else LogHead(*row)
            change.check(log_head)
            count = 0 if log_head is None else log_head.count
            raise Conflict(change.match, count, count)  # it fits by now, but did not then

    def read(self, match: str, since: int = 0) -> StoredLog:
        """Return the log from event `since` on, and its metadata row."""
        check_known(match)
        since = max(since, 0)
        with self._connection() as db:
            row = db.execute(READ, (since, match), binary=True).fetchone()
        if row is None:
            raise NoMatch(match)
        header, count, tail, end, events, *columns = row
        stored = StoredLog(header, min(since, count), tuple(events), end, sql.row_of(*columns))
        sql.check_whole(self._name, match, stored.count, count, stored.events, tail)
        return stored

    def list(self, query: Query = NEWEST) -> Iterator[tuple[str, MetadataRow]]:
        """Return the ids and metadata rows that fit the query."""
        found = sql.list_query(query, "kifu_matches", "%s")
        with self._connection() as db:
            rows = db.execute(*found, binary=True).fetchall() if found else []
        return iter([(match, sql.row_of(*columns)) for match, *columns in rows])

    def claim(self, now_ms: int, until_ms: int, limit: int, *, is_bot: bool) -> Sequence[Claim]:
        """Claim the matches in which something is due now; they are due again at `until_ms`."""
        with self._connection() as db:
            rows = db.execute(CLAIM, (is_bot, now_ms, max(limit, 0), until_ms)).fetchall()
        return [Claim(*row) for _, *row in sorted(rows)]

    def earliest_due(self) -> int | None:
        """Return when something is next due in any match."""
        with self._connection() as db:
            row = db.execute(EARLIEST_DUE).fetchone()
        return None if row is None else row[0]

    def now_ms(self) -> int:
        """Return the time by the server's clock."""
        with self._connection() as db:
            row = db.execute(NOW).fetchone()
        assert row is not None, "it is one value"
        return int(row[0])

    def probe(self) -> None:
        """Write bytes as a change does, and read them back; read of events, too."""
        key, content = int.from_bytes(os.urandom(7)), os.urandom(sql.PROBE_BYTES)
        with self._connection() as db:
            db.execute("SELECT FROM kifu_events LIMIT 1")
            db.execute("INSERT INTO kifu_probes VALUES (%s, %b)", (key, content))
            row = db.execute("DELETE FROM kifu_probes WHERE key = %s RETURNING content", (key,), binary=True).fetchone()
        sql.check_probe(self._name, content, b"" if row is None else row[0])

    def subscribe(self, match: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` after each change of the match by any process. Returns a function that unsubscribes."""
        self.read(match, HEADER_ALONE)
        return self._subscriptions.subscribe(match, callback)

    def close(self) -> None:
        """Close all connections."""
        self._subscriptions.stopped.set()
        with suppress(StoreError), self._connection() as db:
            db.execute(NOTIFY, (self._channel, [""]))  # wakes the listener
        self._connections.close()
        self._subscriptions.close()

    def _notify(self, db: Connection, matches: Sequence[str]) -> None:
        """Notify all subscribers, after the commit: a NOTIFY in the transaction would serialize all commits."""
        with suppress(psycopg.Error):  # the changes are committed; polling will find them
            db.execute(NOTIFY, (self._channel, list(matches)))
        for match in matches:
            self._subscriptions.notify(match)

    def _listen(self, subscriptions: Subscriptions) -> None:
        """Pass notifications on, and poll every `POLL_S`: a process may have died before it notified."""
        while not subscriptions.stopped.is_set():
            with suppress(psycopg.Error), connect(self._address) as db:
                db.execute(f'LISTEN "{self._channel}"')
                for match in subscriptions.matches():  # what has changed meanwhile is unknown
                    subscriptions.notify(match)
                polled_at_s = monotonic()
                while not subscriptions.stopped.is_set():
                    for notification in db.notifies(timeout=POLL_S, stop_after=1):
                        subscriptions.notify(notification.payload)
                    if monotonic() - polled_at_s >= POLL_S:
                        with self._connections.deadlines.within(db, CHECK_S):
                            rows = db.execute(STAMPS, (list(subscriptions.matches()),)).fetchall()
                        subscriptions.compare({match: (count, version) for match, count, version in rows})
                        polled_at_s = monotonic()
            subscriptions.stopped.wait(0.2)

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        with self._translated(), self._connections.connection() as db:
            yield db

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Raise what PostgreSQL raises, and what does not fit into it, as `StoreError`, without the password."""
        try:
            yield
        except (psycopg.Error, UnicodeError, OverflowError) as cause:
            if isinstance(cause, psycopg.OperationalError) and cause.sqlstate is None:
                cause.sqlstate = ConnectionFailure.sqlstate  # libpq found it, not the server, which alone sends states
            why = " ".join(str(cause).split())
            secret = self._address in why  # psycopg quotes an address that it cannot parse
            raise StoreError(self._name, why.replace(self._address, "…")) from (None if secret else cause)


def _named(address: str) -> str:
    """Return the address without user and password; raises `StoreError`, which quotes nothing of it."""
    try:
        parts = {key: str(value) for key, value in conninfo_to_dict(address).items()}
    except (psycopg.Error, ValueError):
        parts = {"host": "@"}
    if any("@" in parts.get(key, "") for key in ("host", "port", "dbname")):
        english = (
            "libpq cannot read this address; in a password, any character but letters and digits is written as %XX"
        )
        raise StoreError("postgresql:", Message("strange-address", english))
    return f"postgresql://{parts.get('host', '')}/{parts.get('dbname', '')}"


def _changing(change: Append | Update | Schedule) -> tuple[str, dict[str, Any]]:
    """Return the statement that changes what is there, if it is as expected, and its values."""
    values = asdict(change, recurse=False)
    row, new, expected = values.get("row"), list[str](), ["id = %(match)s"]
    if change.expected_events is not None:
        expected.append("count = %(expected_events)s")
    if row is not None:
        values |= asdict(row)
        new.append(NEW_ROW)
        expected.append("version = %(version)s - 1")
    if change.due is not None:
        values |= asdict(change.due)
        new.append("due = %(at_ms)s, is_bot = %(is_bot)s")
    if isinstance(change, Append):
        values |= {"events": list(change.events), "tail": change.tail}
        new.append(LONGER)
        expected.append("ending IS NULL")
        if change.header is not None:
            expected.append("head = ''")
        elif change.events or change.end is not None:
            expected.append("head <> ''")
        if change.expected_version is not None:
            expected.append("version = %(expected_version)s")
    update = f"UPDATE kifu_matches SET {', '.join(new)} WHERE {' AND '.join(expected)} RETURNING key"  # noqa: S608
    return APPEND.format(update=update) if isinstance(change, Append) else update, values


def _configure(db: Connection) -> None:
    """Turn `synchronous_commit` on where the server's settings have it off, and wait for nothing for long."""
    db.execute(f"SET lock_timeout = {int(1000 * sql.LOCK_TIMEOUT_S)}; SET statement_timeout = {int(1000 * CALL_S)}")
    db.execute(
        "SELECT set_config(name, 'on', false) FROM pg_settings WHERE name = 'synchronous_commit' AND setting = 'off'"
    )


def _prepare(db: Connection, name: str, steps: sql.Steps) -> tuple[str, str]:
    """Migrate the schema in one transaction; return the channel of its notifications, and the store's epoch."""
    db.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
    db.execute("CREATE TABLE IF NOT EXISTS kifu_schema (version BIGINT NOT NULL)")
    row = db.execute("SELECT version FROM kifu_schema").fetchone()
    version = row[0] if row else 0
    for statement in sql.migrate(name, version, steps):
        db.execute(statement)
    if version != len(steps):
        db.execute("DELETE FROM kifu_schema")
        db.execute("INSERT INTO kifu_schema VALUES (%s)", (len(steps),))
    (channel,) = db.execute("SELECT 'kifu ' || current_schema()::regnamespace::oid").fetchone() or ("kifu",)
    db.execute("CREATE TABLE IF NOT EXISTS kifu_places (place TEXT PRIMARY KEY, epoch TEXT NOT NULL)")
    (place,) = db.execute(PLACE).fetchone() or ("",)
    (epoch,) = db.execute("SELECT epoch FROM kifu_places WHERE place = %s", (place,)).fetchone() or (sql.new_epoch(),)
    db.execute("DELETE FROM kifu_places")
    db.execute("INSERT INTO kifu_places VALUES (%s, %s)", (place, epoch))
    return str(channel), str(epoch)
