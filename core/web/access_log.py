"""The access log: JSON lines that hold no key, body or card.

A line has only the values named here: the pattern of the route instead of the address, the match's id only if there is
such a match, and of an error its type and its place in the program, never its message.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from traceback import extract_tb
from typing import Any, TextIO

LOGGER = logging.getLogger("kifu.web")
MAX_FRAMES = 12
WATCH = "/api/matches/{match}/watch"


def note(event: str, level: int = logging.INFO, **values: Any) -> None:
    """Log one line with these values."""
    LOGGER.log(level, event, extra={"kifu": values})


def request(
    method: str, route: str, status: int, seconds: float, client: str, match: str | None, problem: str | None
) -> None:
    """Log a request that was answered."""
    values = {"method": method, "route": route, "status": status, "ms": round(seconds * 1000, 2), "client": client}
    optional = {name: value for name, value in (("match", match), ("problem", problem)) if value is not None}
    note("request", logging.INFO, **values, **optional)


def watcher(seconds: float, client: str, match: str | None, events: int, code: int | None) -> None:
    """Log a watcher that is gone: how many events it was sent, and the close code (None: it disconnected)."""
    values = {"route": WATCH, "ms": round(seconds * 1000, 2), "client": client, "events": events}
    optional = {name: value for name, value in (("match", match), ("code", code)) if value is not None}
    note("watched", logging.INFO, **values, **optional)


def failure(event: str, error: BaseException, **values: Any) -> None:
    """Log an internal error: its type, and its place in the program."""
    frames = extract_tb(error.__traceback__)[-MAX_FRAMES:]
    where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    note(event, logging.ERROR, error=type(error).__name__, where=where, **values)


class JsonLines(logging.Formatter):
    """A log formatter: one line of JSON a record."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as `{"at", "level", "event", …}`."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z"
        values = getattr(record, "kifu", {})
        return json.dumps(
            {"at": at, "level": record.levelname.lower(), "event": record.getMessage(), **values}, default=str
        )


def write_to(stream: TextIO | None = None, level: int = logging.INFO) -> None:
    """Write the access log to a stream, by default standard error, and to nothing else."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    LOGGER.handlers = [handler]
    LOGGER.setLevel(level)
    LOGGER.propagate = False
