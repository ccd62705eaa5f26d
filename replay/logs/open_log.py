"""The log of one match, for a verb that needs the match."""

from __future__ import annotations

from ...core.log import Reading
from .locations import Location, reading_of


def open_log(where: Location) -> Reading:
    """Read a log; raises `LogError` if no match at all is in it."""
    reading = reading_of(where)
    if reading.match is None:
        raise reading.error(str(where))
    return reading
