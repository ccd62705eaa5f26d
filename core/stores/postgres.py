"""A store in PostgreSQL, for any number of processes and machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any

from ..errors import Conflict, Message, MissingExtra, NoMatch, StoreError
from .schema import Steps, migrate
from .sql import COLUMNS, list_query, row_of, values_of
from .store import (
    NEWEST,
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
from .subscriptions import Subscriptions

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
    from psycopg_pool import ConnectionPool
except ImportError:
    raise MissingExtra(Message("a-store-in-postgres", "a store in PostgreSQL"), "postgres") from None

Connection = psycopg.Connection[tuple[Any, ...]]

CONNECT_TIMEOUT_S = 10
POLL_S = 5.0
"""How often changes are polled_at_s for whose notification was lost."""
MAX_CONNECTIONS = 16
LOCK_TIMEOUT_S = 2.0
"""How long a change waits for a lock that another program holds."""
LOCK = 0x6B696675
"""The advisory lock under which the schema is migrated."""

STEPS: Steps = (
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
)
"""The statements that make each version of the schema from the one before; version 0 is without our tables."""

INSERT = f"""INSERT INTO kifu_matches (id, head, {COLUMNS}) VALUES (%s, %b, %s, %s, %s, %s, %b, %s)
    ON CONFLICT DO NOTHING RETURNING id"""  # noqa: S608
NEW_ROW = """game = %(game)s, status = %(status)s, public = %(public)s, changed = %(changed)s, data = %(data)b,
    version = %(version)s"""
APPEND = """WITH changed AS (
    UPDATE kifu_matches SET count = count + cardinality(%(events)b::bytea[]), head = coalesce(%(head)b, head),
        tail = coalesce(%(tail)b, tail), ending = %(end)b {row} {due}
    WHERE id = %(match)s AND count = %(at)s AND ending IS NULL {condition}
    RETURNING key),
added AS (
    INSERT INTO kifu_events SELECT key, %(at)s + place - 1, body
    FROM changed, unnest(%(events)b::bytea[]) WITH ORDINALITY AS new (body, place))
SELECT key FROM changed"""
UPDATE = f"""UPDATE kifu_matches SET {NEW_ROW} WHERE id = %(match)s AND version = %(version)s - 1
    RETURNING key"""  # noqa: S608
LOG_HEAD = "SELECT length(head) > 0, count, ending IS NOT NULL, version FROM kifu_matches WHERE id = %s"
SCHEDULE = "UPDATE kifu_matches SET due = %s, is_bot = %s WHERE id = %s AND count = %s RETURNING key"
CLAIM = """WITH first AS (
    SELECT key, due FROM kifu_matches WHERE is_bot = %s AND due <= %s ORDER BY due, id LIMIT %s FOR UPDATE SKIP LOCKED)
UPDATE kifu_matches AS claimed SET due = %s FROM first WHERE claimed.key = first.key RETURNING first.due, id"""
EARLIEST_DUE = """SELECT least((SELECT min(due) FROM kifu_matches WHERE NOT is_bot AND due IS NOT NULL),
    (SELECT min(due) FROM kifu_matches WHERE is_bot AND due IS NOT NULL))"""
DELETE = """WITH deleted AS (DELETE FROM kifu_matches WHERE id = %s AND version = %s RETURNING key),
events AS (DELETE FROM kifu_events USING deleted WHERE match = deleted.key)
SELECT key FROM deleted"""
STAMPS = "SELECT id, count, version FROM kifu_matches WHERE id = ANY(%s)"
READ = f"""SELECT head, count, tail, ending,
    ARRAY(SELECT body FROM kifu_events WHERE match = key AND seq >= %s ORDER BY seq), {COLUMNS}
    FROM kifu_matches WHERE id = %s"""  # noqa: S608
NOTIFY = "SELECT set_config('synchronous_commit', 'off', true), pg_notify(%s, %s)"


class PostgresStore:
    """A store in the tables `kifu_matches` and `kifu_events` of the first schema in the search path.

    Each change is one statement, committed before it is acknowledged; then a NOTIFY is sent. A call waits `timeout_s`
    seconds for a connection, and so survives a restart of the server.
    """

    def __init__(self, address: str, *, steps: Steps = STEPS, timeout_s: float = CONNECT_TIMEOUT_S) -> None:
        self._name = _named(address)
        self._address = address
        with self._translated():
            with psycopg.connect(address, connect_timeout=CONNECT_TIMEOUT_S) as db:
                self._channel = _prepare(db, self._name, steps)
            self._pool = ConnectionPool(
                address,
                min_size=1,
                max_size=MAX_CONNECTIONS,
                timeout=timeout_s,
                kwargs={"autocommit": True},
                configure=_configure,
                check=ConnectionPool.check_connection,
                open=True,
            )
        self._subscriptions = Subscriptions(self._listen)

    def create(self, match: str, header: bytes, row: MetadataRow) -> None:
        """Store the metadata row of a new match, and its header unless it is empty."""
        check_new(self._name, match)
        with self._connection() as db:
            if db.execute(INSERT, (match, header, *values_of(row))).fetchone() is None:
                raise Conflict(match, 0, _log_head(db, match).count)
            self._notify(db, match)

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
        check_known(match)
        values: dict[str, Any] = {"match": match, "at": expected_events, "events": list(events), "head": header}
        values |= {"end": end, "tail": tail_of(events)}
        condition = "AND head = ''" if header is not None else "AND head <> ''" if events or end is not None else ""
        if row is not None:
            values |= dict(zip(COLUMNS.split(", "), values_of(row), strict=True))
            condition += " AND version = %(version)s - 1"
        if expected_version is not None:
            values["read"] = expected_version
            condition += " AND version = %(read)s"
        if due is not None:
            values |= {"due": due.at_ms, "is_bot": due.is_bot}
        statement = APPEND.format(
            row=f", {NEW_ROW}" if row is not None else "",
            due=", due = %(due)s, is_bot = %(is_bot)s" if due is not None else "",
            condition=condition,
        )
        with self._connection() as db:
            if db.execute(statement, values).fetchone() is None:
                log_head = _log_head(db, match)
                log_head.check_append(match, expected_events, events, header, end, row, expected_version)
                raise Conflict(match, expected_events, log_head.count)  # it fits by now, but did not then
            self._notify(db, match)

    def update(self, match: str, row: MetadataRow) -> None:
        """Replace the metadata row by the next one."""
        check_known(match)
        values = dict(zip(COLUMNS.split(", "), values_of(row), strict=True))
        with self._connection() as db:
            if db.execute(UPDATE, {**values, "match": match}).fetchone() is None:
                count = _log_head(db, match).count
                raise Conflict(match, count, count)
            self._notify(db, match)

    def read(self, match: str, since: int = 0) -> StoredLog:
        """Return the log from event `since` on, and its metadata row."""
        check_known(match)
        since = max(since, 0)
        with self._connection() as db:
            row = db.execute(READ, (since, match), binary=True).fetchone()
        if row is None:
            raise NoMatch(match)
        header, count, tail, end, events, *columns = row
        stored = StoredLog(header, min(since, count), tuple(events), end, row_of(*columns))
        check_whole(self._name, match, stored, count, tail)
        return stored

    def list(self, query: Query = NEWEST) -> Iterator[tuple[str, MetadataRow]]:
        """Return the ids and metadata rows that fit the query."""
        found = list_query(query, "kifu_matches", "%s")
        with self._connection() as db:
            rows = db.execute(*found, binary=True).fetchall() if found else []
        return iter([(match, row_of(*columns)) for match, *columns in rows])

    def schedule(self, match: str, expected_events: int, due: Due) -> None:
        """Set when something is due in the match."""
        check_known(match)
        with self._connection() as db:
            if db.execute(SCHEDULE, (due.at_ms, due.is_bot, match, expected_events)).fetchone() is None:
                raise Conflict(match, expected_events, _log_head(db, match).count)

    def claim(self, now_ms: int, until_ms: int, limit: int, *, is_bot: bool) -> Sequence[str]:
        """Return the matches in which something is due now; they are due again at `until_ms`."""
        with self._connection() as db:
            rows = db.execute(CLAIM, (is_bot, now_ms, max(limit, 0), until_ms)).fetchall()
        return [match for _, match in sorted(rows)]

    def earliest_due(self) -> int | None:
        """Return when something is next due in any match."""
        with self._connection() as db:
            row = db.execute(EARLIEST_DUE).fetchone()
        return None if row is None else row[0]

    def delete(self, match: str, version: int) -> None:
        """Delete a match with its log."""
        check_known(match)
        with self._connection() as db:
            if db.execute(DELETE, (match, version)).fetchone() is None:
                count = _log_head(db, match).count
                raise Conflict(match, count, count)
            self._notify(db, match)

    def probe(self) -> None:
        """Write the version of the schema once more."""
        with self._connection() as db:
            db.execute("UPDATE kifu_schema SET version = version")

    def subscribe(self, match: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` after each change of the match by any process. Returns a function that unsubscribes."""
        check_known(match)
        with self._connection() as db:
            _log_head(db, match)
        return self._subscriptions.subscribe(match, callback)

    def close(self) -> None:
        """Close all connections."""
        self._subscriptions.stopped.set()
        with suppress(StoreError), self._connection() as db:
            db.execute(NOTIFY, (self._channel, ""))  # wakes the listener
        self._pool.close()
        self._subscriptions.close()

    def _notify(self, db: Connection, match: str) -> None:
        """Notify all subscribers, after the commit: a NOTIFY in the transaction would serialize all commits."""
        with suppress(psycopg.Error):  # the change is committed; polling will find it
            db.execute(NOTIFY, (self._channel, match))
        self._subscriptions.notify(match)

    def _listen(self, subscriptions: Subscriptions) -> None:
        """Pass notifications on, and poll every `POLL_S`: a process may have died before it notified."""
        while not subscriptions.stopped.is_set():
            with suppress(psycopg.Error), psycopg.connect(self._address, autocommit=True) as db:
                db.execute(f'LISTEN "{self._channel}"')
                subscriptions.notify_all()
                polled_at_s = monotonic()
                while not subscriptions.stopped.is_set():
                    for notification in db.notifies(timeout=POLL_S, stop_after=1):
                        subscriptions.notify(notification.payload)
                    if monotonic() - polled_at_s >= POLL_S:
                        rows = db.execute(STAMPS, (list(subscriptions.matches()),)).fetchall()
                        subscriptions.compare({match: (count, version) for match, count, version in rows})
                        polled_at_s = monotonic()
            subscriptions.stopped.wait(0.2)

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        with self._translated(), self._pool.connection() as db:
            yield db

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Raise what PostgreSQL raises, and what does not fit into it, as `StoreError`, without the password."""
        try:
            yield
        except (psycopg.Error, UnicodeError, OverflowError) as cause:
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


def _log_head(db: Connection, match: str) -> LogHead:
    row = db.execute(LOG_HEAD, (match,)).fetchone()
    if row is None:
        raise NoMatch(match)
    return LogHead(*row)


def _configure(db: Connection) -> None:
    """Turn `synchronous_commit` on where the server's settings have it off, and wait for no lock for long."""
    db.execute(f"SET lock_timeout = {int(1000 * LOCK_TIMEOUT_S)}")
    db.execute(
        "SELECT set_config(name, 'on', false) FROM pg_settings WHERE name = 'synchronous_commit' AND setting = 'off'"
    )


def _prepare(db: Connection, name: str, steps: Steps) -> str:
    """Migrate the schema in one transaction; return the channel of its notifications."""
    db.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
    db.execute("CREATE TABLE IF NOT EXISTS kifu_schema (version BIGINT NOT NULL)")
    row = db.execute("SELECT version FROM kifu_schema").fetchone()
    version = row[0] if row else 0
    for statement in migrate(name, version, steps):
        db.execute(statement)
    if version != len(steps):
        db.execute("DELETE FROM kifu_schema")
        db.execute("INSERT INTO kifu_schema VALUES (%s)", (len(steps),))
    (channel,) = db.execute("SELECT 'kifu ' || current_schema()::regnamespace::oid").fetchone() or ("kifu",)
    return str(channel)
