"""The log file of a match in a store of files: what its bytes are, how they are written, and cut where one is torn."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import msgpack
from attrs import frozen

from ..errors import Message
from ..game import AnyGame
from ..log import read_bytes
from ..log.framing import ObjectStream
from ..log.recovery import is_torn_tail
from ..log.writer import append_all, cut_tail, replace_file
from .store import TAIL_BYTES, Append


@frozen
class LogFile:
    """The objects of a log file of `size` bytes."""

    size: int = 0
    header: bytes = b""
    events: tuple[bytes, ...] = ()
    end: bytes | None = None

    def after(self, append: Append) -> tuple[LogFile, list[bytes]]:
        """Return the file with what is appended, and that; raises `ValueError` with a `Message` if it is no object."""
        _check_objects(append.events, append.end)
        new = [each for each in (append.header, *append.events, append.end) if each]
        size = self.size + sum(map(len, new))
        return LogFile(size, append.header or self.header, (*self.events, *append.events), append.end), new

    @property
    def last(self) -> bytes:
        """The bytes by which the file is known again: the header, and at least `TAIL_BYTES` of what follows."""
        return self.header + b"".join(self.events[-TAIL_BYTES:]) + (self.end or b"")


def parse(path: Path, data: bytes, find: Callable[[str], AnyGame]) -> LogFile:
    """Parse a log file; cuts a torn event off the file. Raises `ValueError` with a `Message`."""
    objects = ObjectStream(data)
    parts = [(data[start:end], value.__class__) for value, start, end in objects]
    if objects.noise is not None:
        raise ValueError(objects.noise)
    end = parts.pop()[0] if len(parts) > 1 and parts[-1][1] is dict else None
    misplaced = next((seq for seq, (_, kind) in enumerate(parts[1:]) if kind is not list), None)
    if misplaced is not None:
        raise ValueError(Message("no-array", "event {seq} is no array", seq=misplaced))
    if objects.torn:
        _repair(path, data, find)
    header, *events = [raw for raw, _ in parts] or [b""]
    return LogFile(objects.end, header, tuple(events), end)


def _repair(path: Path, data: bytes, find: Callable[[str], AnyGame]) -> None:
    """Cut a torn event off, into a file beside the log; raises `ValueError` if the tail is something else."""
    reading = read_bytes(data, find)
    if [finding.kind for finding in reading.findings] != ["torn"] or not is_torn_tail(reading.tail, reading):
        problem = reading.problem()
        english = "{problem}, and it is not the beginning of the next event"
        raise ValueError(Message("no-beginning", english, problem="" if problem is None else problem.summary))
    cut_tail(path, reading.size, reading.tail)


def write(path: Path, size: int, raw: bytes) -> int:
    """Write at offset `size` of a log, over anything torn; return the log's new size."""
    if size == 0:
        replace_file(path, raw)
        return len(raw)
    file = os.open(path, os.O_WRONLY | os.O_APPEND)
    try:
        os.ftruncate(file, size)
        append_all(file, size, raw)
    finally:
        os.close(file)
    return size + len(raw)


def _check_objects(events: Sequence[bytes], end: bytes | None) -> None:
    """Raise `ValueError` unless each event is one msgpack array and the end record one map."""
    for raw, kind in [*((each, list) for each in events), *([(end, dict)] if end is not None else [])]:
        try:
            fits = isinstance(msgpack.unpackb(raw, strict_map_key=False), kind)
        except Exception:
            fits = False
        if not fits:
            raise ValueError(Message("no-objects", "an event is an array of msgpack, an end record a map"))
