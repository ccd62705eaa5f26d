"""What stands for an object that no log may hold."""

from __future__ import annotations

from attrs import frozen


@frozen
class BrokenObject:
    """An object whose end is known, but which no log may hold; `why` is the message."""

    why: str


class Unfit(Exception):  # noqa: N818 (carries a message, is no error)
    """A value that msgpack allows, but a log does not."""
