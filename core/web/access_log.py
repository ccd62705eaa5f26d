"""What the server writes down of itself: JSON lines in which no key, body or card can stand.

A line is built up from values that are named here: the pattern of the route instead of the address, the match's id
only where there is such a match, and of an error its kind and the place in the program, never its message.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from traceback import extract_tb
from typing import Any, TextIO

LOGGER = logging.getLogger("kifu.web")
DEEP = 12
WATCH = "/api/matches/{match}/watch"


def note(event: str, level: int = logging.INFO, **values: Any) -> None:
    """Write one line."""
    LOGGER.log(level, event, extra={"kifu": values})


def request(
    method: str, route: str, status: int, seconds: float, client: str, match: str | None, problem: str | None
) -> None:
    """Write down a request that was answered."""
    values = {"method": method, "route": route, "status": status, "ms": round(seconds * 1000, 2), "client": client}
    also = {name: value for name, value in (("match", match), ("problem", problem)) if value is not None}
    note("request", logging.INFO, **values, **also)


def watcher(seconds: float, client: str, match: str | None, events: int, code: int | None) -> None:
    """Write down one that has watched: how many events it was told, and how it ended (no code: it went away)."""
    values = {"route": WATCH, "ms": round(seconds * 1000, 2), "client": client, "events": events}
    also = {name: value for name, value in (("match", match), ("code", code)) if value is not None}
    note("watched", logging.INFO, **values, **also)


def failure(event: str, error: BaseException, **values: Any) -> None:
    """Write down an error of ours: what kind, and where in the program."""
    frames = extract_tb(error.__traceback__)[-DEEP:]
    where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    note(event, logging.ERROR, error=type(error).__name__, where=where, **values)


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z"
        values = getattr(record, "kifu", {})
        return json.dumps(
            {"at": at, "level": record.levelname.lower(), "event": record.getMessage(), **values}, default=str
        )


def write_to(stream: TextIO | None = None, level: int = logging.INFO) -> None:
    """Write the lines to a stream (the standard error, if none is given), and nothing of anybody else's."""
    lines = logging.StreamHandler(stream or sys.stderr)
    lines.setFormatter(JsonLines())
    LOGGER.handlers = [lines]
    LOGGER.setLevel(level)
    LOGGER.propagate = False
