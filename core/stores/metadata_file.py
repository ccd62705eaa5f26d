"""The file of a sheet: what the files store keeps beside a log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgpack
from attrs import asdict, frozen

from ..errors import Message
from .store import MetadataRow

T = TypeVar("T")

VERSION = 1
KINDS = {"game": str, "status": str, "public": bool, "changed": int, "data": bytes, "version": int}
"""What the values of a sheet are."""
UPCASTS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""From the values of version n to those of version n + 1."""


@frozen
class MetadataFile:
    """A sheet, and what was appended to the log at once with it: whoever finds the log without it puts it there."""

    row: MetadataRow
    size: int
    """The bytes of the log before."""
    tail: bytes
    """The bytes that follow them."""


def pack(file: MetadataFile) -> bytes:
    """Pack the file of a sheet."""
    values = {"kifu_metadata": VERSION, **asdict(file.row), "size": file.size, "tail": file.tail}
    return msgpack.packb(values)  # type: ignore[no-any-return]


def unpack(raw: bytes) -> MetadataFile:
    """Unpack the file of a sheet, also an older one; raises `ValueError`, saying why it cannot be used."""
    try:
        values: dict[str, Any] = dict(msgpack.unpackb(raw))
        version = _of(int, values.pop("kifu_metadata"))
    except Exception:
        raise ValueError(Message("is-no-sheet", "this is no sheet")) from None
    if version > VERSION:
        english = "it is of version {version}, this kifu knows {known}: use a newer one"
        raise ValueError(Message("newer-sheet", english, version=version, known=VERSION))
    for older in range(version, VERSION):
        values = UPCASTS[older](values)
    try:
        size, tail = _of(int, values.pop("size")), _of(bytes, values.pop("tail"))
        row = MetadataRow(**values)
        for name, kind in KINDS.items():
            _of(kind, getattr(row, name))
        return MetadataFile(row, size, tail)
    except (KeyError, TypeError) as cause:
        raise ValueError(Message("broken-sheet", "this is no sheet: {cause}", cause=cause)) from None


def _of(kind: type[T], value: Any) -> T:
    if value.__class__ is not kind:
        raise TypeError(f"{ascii(value)[:60]} is not {kind.__name__}")
    return value
