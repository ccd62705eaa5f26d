"""The metadata file that a store of files keeps beside a log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgpack
from attrs import asdict, frozen

from ..errors import Message
from .store import MetadataRow

T = TypeVar("T")

VERSION = 1
KINDS = {"game": str, "status": str, "public": bool, "changed_at_ms": int, "data": bytes, "version": int}
"""The types of a row's values."""
UPCASTS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""For each version n, what turns its values into those of version n + 1."""
CLOCK_STEP_NS = 2_000_000_000
"""Two changes of a file within this time may have the same time stamp."""


@frozen
class MetadataFile:
    """A metadata row, and the bytes that were appended to the log with it; a log without them gets them."""

    row: MetadataRow
    size: int
    """How many bytes the log had before."""
    tail: bytes
    """The bytes that were appended."""


@frozen
class CachedMetadata:
    """A metadata file as it was read, and the stamp by which it is known to be the same still."""

    stamp: tuple[int, int, int]
    """Inode, modification time (ns), size."""
    read_at_ns: int
    file: MetadataFile

    def is_valid(self, stamp: tuple[int, int, int]) -> bool:
        """Return True if a file of this stamp cannot have changed since it was read."""
        return self.stamp == stamp and self.read_at_ns - stamp[1] > CLOCK_STEP_NS


def pack(file: MetadataFile) -> bytes:
    """Pack a metadata file as msgpack."""
    values = {"kifu_metadata": VERSION, **asdict(file.row), "size": file.size, "tail": file.tail}
    return msgpack.packb(values)  # type: ignore[no-any-return]


def unpack(raw: bytes) -> MetadataFile:
    """Unpack a metadata file of this version or an older one; raises `ValueError` with a `Message`."""
    try:
        values: dict[str, Any] = dict(msgpack.unpackb(raw))
        version = _of(int, values.pop("kifu_metadata"))
    except Exception:
        raise ValueError(Message("no-metadata", "this is no metadata")) from None
    if version > VERSION:
        english = "it is of version {version}, this kifu knows {known}: use a newer one"
        raise ValueError(Message("newer-metadata", english, version=version, known=VERSION))
    for older in range(version, VERSION):
        values = UPCASTS[older](values)
    try:
        size, tail = _of(int, values.pop("size")), _of(bytes, values.pop("tail"))
        row = MetadataRow(**values)
        for name, kind in KINDS.items():
            _of(kind, getattr(row, name))
        return MetadataFile(row, size, tail)
    except (KeyError, TypeError) as cause:
        raise ValueError(Message("broken-metadata", "this is no metadata: {cause}", cause=cause)) from None


def _of(kind: type[T], value: Any) -> T:
    """Return a value of exactly this type; raises `TypeError`."""
    if value.__class__ is not kind:
        raise TypeError(f"{ascii(value)[:60]} is not {kind.__name__}")
    return value
