"""Traces as bytes: recognizing one, and tracing a log with this engine."""

from __future__ import annotations

import msgpack

from ...core.errors import LogError
from ...core.trace import trace_log
from ..logs.locations import Location

FIRST_KEY: bytes = msgpack.packb("trace")


def is_trace(content: bytes) -> bool:
    """Return True if the content begins with the head of a trace, even one that is cut short."""
    return content[1 : 1 + len(FIRST_KEY)] == FIRST_KEY


def traced_bytes(log: bytes, where: Location) -> bytes:
    """Trace a log with this engine; raises `LogError` with the file."""
    try:
        return trace_log(log, named=True)
    except LogError as cause:
        raise LogError(cause.kind, cause.message, cause.seq, cause.rule, str(where)) from None
