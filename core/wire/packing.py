"""States, views and commands as msgpack: an attrs object is the array of its fields in order, an enum its value."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from operator import attrgetter
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
