"""States, views and commands as msgpack: an attrs object is the array of its fields in order, an enum its value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from itertools import compress, count
from operator import attrgetter, is_not
from threading import local
from typing import Any, Final

import attrs
import msgpack

Flatten = Callable[[Any], Any]
"""Makes of an object the array, text or number that stands for it; what is inside is left to msgpack."""


def pack(value: Any) -> bytes:
    """Pack a value as msgpack: an attrs object as the array of its fields in order, an enum as its value.

    A set, as views have them, is the array of its members in the order of their packed bytes.
    """
    try:
        packer = _of_thread.packer
    except AttributeError:
        packer = _of_thread.packer = msgpack.Packer(default=_called_back, autoreset=True)
    return packer.pack(value)  # type: ignore[no-any-return]


class Packing:
    """Packs states that follow one another: a field that is the same object as before is not packed again."""

    def __init__(self, fields: Flatten | None = None) -> None:
        """Pack what `fields` returns of a state, where that is another list than all of its fields."""
        self._fields_of = fields or _called_back
        self._pack: Callable[[Any], bytes] = msgpack.Packer(default=_called_back, autoreset=True).pack
        self._fields: Sequence[Any] | None = None
        """Those of the state before; None before the first, and after one that cannot be packed."""
        self._parts: list[bytes] = []
        """Each of them, packed."""
        self._head = b""

    def pack(self, state: Any) -> bytes:
        """Return the next state, packed as `pack` does."""
        fields = self._fields_of(state)
        before, parts, pack, self._fields = self._fields, self._parts, self._pack, None
        if before is None or len(fields) != len(before):
            self._head = msgpack.Packer().pack_array_header(len(fields))
            parts[:] = map(pack, fields)
        else:
            for place in compress(count(), map(is_not, fields, before)):
                parts[place] = pack(fields[place])
        self._fields = fields
        return self._head + b"".join(parts)


def _called_back(value: Any) -> Any:
    """Return what msgpack can pack instead of a value that it cannot.

    To flatten a whole state before it is packed takes no less: its lists are all made first, and lie apart in memory.
    """
    try:
        flatten = _of_class[value.__class__]
    except KeyError:
        flatten = _of_class[value.__class__] = _flatten_of(value.__class__)
    return flatten(value)


def _flatten_of(kind: Any) -> Flatten:
    """Return what flattens the objects of a class; raises `TypeError` for one that nothing stands for."""
    if attrs.has(kind):
        names = [field.name for field in attrs.fields(kind)]
        return attrgetter(*names) if len(names) > 1 else lambda value: [getattr(value, name) for name in names]
    if issubclass(kind, Enum):
        return attrgetter("value")
    if issubclass(kind, (set, frozenset)):
        return _members
    raise TypeError(f"no field of a state, view or command can be {kind.__name__}")


def _members(value: Any) -> list[Any]:
    """Return the members of a set in the order of their packed bytes."""
    return sorted(value, key=_bytes) if len(value) > 1 else list(value)


def _bytes(value: Any) -> bytes:
    """Pack a value inside another, for which the thread's packer cannot be used again."""
    return msgpack.packb(value, default=_called_back)  # type: ignore[no-any-return]


_of_class: Final[dict[Any, Flatten]] = {}

_of_thread: Final = local()
"""Holds one packer per thread: a packer calls back into Python, where another thread may run."""
