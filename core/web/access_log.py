"""The access log: JSON lines that hold no key, body or card.

A line has only the values named here: the pattern of the route instead of the address, the match's id only if there is
such a match, and of an error its type and its place in the program, never its message.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from contextlib import suppress
from errno import errorcode
from queue import Full, Queue
from threading import Thread
from traceback import extract_tb
from typing import Any, TextIO

from starlette.requests import ClientDisconnect

from ..errors import GameFailed, Message

LOGGER = logging.getLogger("kifu.web")
MAX_FRAMES = 12
MAX_LINES = 10_000
"""The lines that wait to be written; more are dropped and counted."""
CLOSING_S = 2.0


def note(event: str, level: int = logging.INFO, **values: Any) -> None:
    """Log one line with these values."""
    LOGGER.log(level, event, extra={"kifu": values})


def _causes(error: BaseException) -> list[BaseException]:
    """List an error and what it came of, down to the first."""
    seen: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in seen:
        seen.append(cause)
        cause = cause.__cause__ or cause.__context__
    return seen


def cause_of(error: BaseException) -> str:
    """Return the name of what made a store or a request fail: `ENOSPC`, `SQLITE_BUSY`, an SQLSTATE, or else what the
    error at the root says, as `store-moved`, or its type, as `PoolTimeout`.
    """
    for each in _causes(error):
        name = getattr(each, "sqlite_errorname", None) or getattr(each, "sqlstate", None)
        if isinstance(name, str):
            return name
        if isinstance(each, OSError) and each.errno is not None:
            return errorcode.get(each.errno, str(each.errno))
    root = error
    while root.__cause__ is not None:
        root = root.__cause__
    why = getattr(root, "why", None)
    return why.key if isinstance(why, Message) else type(root).__name__


def failure(event: str, error: BaseException, **values: Any) -> None:
    """Log an internal error: its type, and its place in the program."""
    note(event, logging.ERROR, **_described(error), **values)


def _described(error: BaseException) -> dict[str, Any]:
    """Return the type of an error, its cause, and its place in the program; of a game's failure, where that began."""
    began = _causes(error)[-1] if isinstance(error, GameFailed) else error
    frames = extract_tb(began.__traceback__)[-MAX_FRAMES:]
    where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    return {"error": type(error).__name__, "cause": cause_of(error), "where": where}


class JsonLines(logging.Formatter):
    """A log formatter: one line of JSON a record; of an error that a library logs, its type, cause and place."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as `{"at", "level", "event", …}`."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z"
        values = getattr(record, "kifu", {})
        if record.name != LOGGER.name:
            error = record.exc_info[1] if record.exc_info else None
            values = {"logger": record.name, **({} if error is None else _described(error))}
        event = record.getMessage().partition("\n")[0]  # behind it asyncio names what failed, and with what words
        return json.dumps({"at": at, "level": record.levelname.lower(), "event": event, **values}, default=str)


class Writer(logging.Handler):
    """A log handler that never waits: a thread writes, and lines for which its queue has no room are counted."""

    def __init__(self, stream: TextIO, size: int = MAX_LINES) -> None:
        super().__init__()
        self._stream = stream
        self._lines: Queue[str | None] = Queue(size)
        self._dropped = 0
        self.setFormatter(JsonLines())
        self._thread = Thread(target=self._run, name="kifu access log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a line, or count it as dropped; that a client has left within its request is no line of its own."""
        if record.exc_info and isinstance(record.exc_info[1], ClientDisconnect):
            return
        try:
            self._lines.put_nowait(self.format(record))
        except Full:
            self._dropped += 1  # within `handle`, which holds the lock

    def close(self) -> None:
        """Write what is queued, unless nobody reads it."""
        with suppress(Full):
            self._lines.put(None, timeout=CLOSING_S)
            self._thread.join(CLOSING_S)
        super().close()

    def _run(self) -> None:
        while (line := self._lines.get()) is not None:
            with suppress(OSError, ValueError):  # nobody reads any more
                self._tell_dropped()
                self._stream.write(line + "\n")
                self._stream.flush()
        with suppress(OSError, ValueError):
            self._tell_dropped()
            self._stream.flush()

    def _tell_dropped(self) -> None:
        assert self.lock is not None  # logging.Handler gives each its own
        with self.lock:
            dropped, self._dropped = self._dropped, 0
        if dropped:
            values = {"kifu": {"lines": dropped}}
            told = LOGGER.makeRecord(LOGGER.name, logging.WARNING, "", 0, "lines were dropped", (), None, extra=values)
            self._stream.write(self.format(told) + "\n")


def write(level: int = logging.INFO) -> Writer:
    """Write the access log to standard error, and what all libraries warn of too."""
    handler = Writer(sys.stderr)
    logging.getLogger().handlers = [handler]
    logging.getLogger().setLevel(logging.WARNING)
    LOGGER.handlers = []
    LOGGER.setLevel(level)
    LOGGER.propagate = True
    return handler
