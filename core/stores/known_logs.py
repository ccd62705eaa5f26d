"""How long the log files of a store were when they were last acknowledged: a shorter or another one is found out."""

from __future__ import annotations

import os
from pathlib import Path
from zlib import crc32

from ..errors import Message
from .folders import make_folder
from .store import TAIL_BYTES


class KnownLogs:
    """A folder with a file for each log: its size, its last bytes, a checksum.

    They are not synced, so that after a power failure an earlier length may be known.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        make_folder(folder)

    def size(self, match: str) -> int | None:
        """Return how long the log was; None if that is unknown."""
        known = self._read(match)
        return None if known is None else known[0]

    def keep(self, match: str, size: int, last: bytes) -> None:
        """Note the size of a log, and its last bytes."""
        body = size.to_bytes(8, "big") + _tail(last)
        file = os.open(self._folder / match, os.O_WRONLY | os.O_CREAT, 0o666)
        try:
            os.write(file, body + crc32(body).to_bytes(4, "big"))
        finally:
            os.close(file)

    def forget(self, match: str) -> None:
        """Remove what is noted of a log."""
        (self._folder / match).unlink(missing_ok=True)

    def problem(self, match: str, name: str, raw: bytes) -> Message | None:
        """Return what is wrong with a log file of these bytes; None if it goes on from what is known."""
        known = self._read(match)
        if known is None or not known[0] or _tail(raw[: known[0]]) == known[1]:
            return None
        return Message("other-log", "{file} is not the log that was acknowledged", file=name)

    def _read(self, match: str) -> tuple[int, bytes] | None:
        try:
            raw = (self._folder / match).read_bytes()
        except FileNotFoundError:
            return None
        body, checksum = raw[:-4], raw[-4:]
        return (int.from_bytes(body[:8], "big"), body[8:]) if crc32(body).to_bytes(4, "big") == checksum else None


def _tail(raw: bytes) -> bytes:
    return raw[-TAIL_BYTES:].rjust(TAIL_BYTES, b"\0")
