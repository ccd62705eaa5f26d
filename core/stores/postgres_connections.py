"""Connections to PostgreSQL, each for as long as a call takes, and no longer than a deadline, however silent it is."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import BoundedSemaphore, Condition, Thread
from time import monotonic, sleep
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import ConnectionFailure, TooManyConnections

Connection = psycopg.Connection[tuple[Any, ...]]

CONNECT_S = 3
"""How long one attempt to connect may take."""
CALL_S = 6.0
"""How long a call may take that has its connection."""
CHECK_S = 1.0
"""How long the server may take to answer on a connection that has rested."""
LOOK_S = 0.25
"""How often it is looked whether a connection in use is late."""
RESTED_S = 0.5
FIRST_PAUSE_S, LAST_PAUSE_S = 0.1, 2.0
"""How long it is waited after an attempt to connect that failed: twice as long each time, at most so long."""
SILENT = {
    "connect_timeout": CONNECT_S,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 2,
    "tcp_user_timeout": 6000,
}
"""What finds out that a server is gone which says nothing, unless the address has others."""


def connect(address: str) -> Connection:
    """Return a new connection, in whose calls each statement is a transaction."""
    given = conninfo_to_dict(address)
    more: dict[str, Any] = {name: value for name, value in SILENT.items() if name not in given}
    return psycopg.connect(address, autocommit=True, **more)


class Deadlines:
    """Connections in use, and until when; one that is late is shut down, so that whoever waits for it goes on."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._until_s: dict[Connection, float] = {}
        self._thread: Thread | None = None

    @contextmanager
    def within(self, db: Connection, seconds: float) -> Iterator[None]:
        """Use a connection for so long at most."""
        with self._changed:
            self._until_s[db] = monotonic() + seconds
            if self._thread is None:
                self._thread = Thread(target=self._run, name="kifu store deadlines", daemon=True)
                self._thread.start()
            elif len(self._until_s) == 1:
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._until_s.pop(db, None)

    def _run(self) -> None:
        with self._changed:
            while True:
                self._changed.wait(LOOK_S if self._until_s else None)
                for db, until_s in list(self._until_s.items()):
                    if until_s <= monotonic():
                        del self._until_s[db]
                        _shut_down(db)


def _shut_down(db: Connection) -> None:
    """End the conversation of a connection that another thread waits for: it raises there."""
    with suppress(psycopg.Error, OSError), socket.socket(fileno=os.dup(db.fileno())) as there:
        there.shutdown(socket.SHUT_RDWR)


class Connections:
    """At most so many connections; those that rest are used again, the last one first."""

    def __init__(self, address: str, configure: Callable[[Connection], None], most: int, timeout_s: float) -> None:
        """Connect where needed, and `configure` each; a call waits so many seconds for its connection."""
        self._address, self._configure, self._timeout_s = address, configure, timeout_s
        self._free = BoundedSemaphore(most)
        self._resting: list[tuple[Connection, float]] = []
        """Those that rest, and since when."""
        self._silent_s = 0.0
        """When one was last found silent: those that have rested since before are not asked."""
        self._is_closed = False
        self.deadlines = Deadlines()

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Yield a connection for one call; raises `psycopg.OperationalError` if there is none in time."""
        until_s = monotonic() + self._timeout_s
        if not self._free.acquire(timeout=self._timeout_s):
            raise TooManyConnections("all connections are in use")
        try:
            db = self._rested() or self._connected(until_s)
            try:
                with self.deadlines.within(db, CALL_S):
                    yield db
            except BaseException:
                if db.broken:
                    self._silent_s = max(self._silent_s, monotonic() - CALL_S)
                raise
            finally:
                self._give_back(db)
        finally:
            self._free.release()

    def _rested(self) -> Connection | None:
        """Return a connection that has rested and answers, None if there is none."""
        while self._resting:
            with suppress(IndexError):
                db, since_s = self._resting.pop()
                if monotonic() - since_s < RESTED_S and not db.closed:
                    return db
                if since_s > self._silent_s:
                    try:
                        with self.deadlines.within(db, CHECK_S):
                            db.execute("")
                        return db
                    except psycopg.Error:
                        self._silent_s = monotonic()
                db.close()
        return None

    def _connected(self, until_s: float) -> Connection:
        """Return a new connection, tried again and again until then."""
        pause_s = FIRST_PAUSE_S
        while not self._is_closed:
            try:
                db = connect(self._address)
                with self.deadlines.within(db, CALL_S):
                    self._configure(db)
                return db
            except psycopg.OperationalError:
                if monotonic() + pause_s > until_s:
                    raise
            sleep(pause_s)
            pause_s = min(2 * pause_s, LAST_PAUSE_S)
        raise ConnectionFailure("the store is closed")

    def _give_back(self, db: Connection) -> None:
        if db.closed or self._is_closed or db.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            db.close()
        else:
            self._resting.append((db, monotonic()))

    def close(self) -> None:
        """Close those that rest now, and others as they are given back."""
        self._is_closed = True
        while self._resting:
            with suppress(IndexError):
                self._resting.pop()[0].close()
