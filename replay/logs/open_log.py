"""Opening a log for a verb that needs its match."""

from __future__ import annotations

from ...core.log import Reading
from .locations import Location, reading_of


def open_log(where: Location) -> Reading:
    """Read a log whose `match` is not None; raises `LogError` if it contains no match."""
    reading = reading_of(where)
    if reading.match is None:
        raise reading.error(str(where))
    return reading
