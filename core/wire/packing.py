"""States, views and commands as msgpack: an attrs object is the array of its fields in order, an enum its value."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache
from operator import attrgetter
from threading import local
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin

import attrs
import msgpack

Flatten = Callable[[Any], Any]
"""Makes arrays of the attrs objects in a value, where it is what its type says; leaves all else to msgpack."""


def pack(value: Any) -> bytes:
    """Pack a value as msgpack: an attrs object as the array of its fields in order, an enum as its value.

    A set, as views have them, is the array of its members in the order of their packed bytes.
    """
    flatten = _object(value.__class__)
    try:
        packer = _of_thread.packer
    except AttributeError:
        packer = _of_thread.packer = msgpack.Packer(default=_called_back, autoreset=True)
    return packer.pack(value if flatten is None else flatten(value))  # type: ignore[no-any-return]


@cache
def _object(kind: Any) -> Flatten | None:
    """Return what flattens an object of this class; None if it is no attrs class."""
    return _fields(kind) if attrs.has(kind) else None


@cache
def _fields(kind: type) -> Flatten:
    """Return what makes an object of an attrs class the list of its fields, those inside them by the fields' types.

    msgpack alone would call back for each object inside: this takes the time of a state's digest to a half.
    """
    names = [field.name for field in attrs.fields(kind)]
    get: Flatten = attrgetter(*names) if len(names) > 1 else lambda value: [getattr(value, name) for name in names]
    inside = [(place, flatten) for place, flatten in enumerate(map(_of_type, _types(kind))) if flatten is not None]
    if not inside:
        return get

    def fields(value: Any) -> list[Any]:
        items = list(get(value))
        for place, flatten in inside:
            items[place] = flatten(items[place])
        return items

    return fields


def _types(kind: type) -> list[Any]:
    try:
        return [field.type for field in attrs.fields(attrs.resolve_types(kind))]
    except NameError:  # of a class inside a function
        return []


def _of_type(kind: Any) -> Flatten | None:
    """Return what flattens a value of a type; None if msgpack packs it as it is, or finds out by itself."""
    if isinstance(kind, type) and attrs.has(kind):
        return _object_of(kind)
    args = get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        inside = [each for each in args if isinstance(each, type) and attrs.has(each)]
        return _of_type(inside[0]) if len(inside) == 1 else None
    if get_origin(kind) is frozenset:
        return lambda value: _members(value) if value.__class__ is frozenset else value
    if get_origin(kind) is not tuple:
        return None
    if len(args) != 2 or args[1] is not Ellipsis:
        return None
    if isinstance(args[0], type) and attrs.has(args[0]):
        return _array_of(args[0])
    items = _of_type(args[0])
    return None if items is None else lambda value: [*map(items, value)] if value.__class__ is tuple else value


def _object_of(kind: type) -> Flatten:
    flatten: Flatten | None = None  # found at the first value: a class may hold objects of its own kind

    def one(value: Any) -> Any:
        nonlocal flatten
        if value.__class__ is not kind:
            return value
        if flatten is None:
            flatten = _fields(kind)
        return flatten(value)

    return one


def _array_of(kind: type) -> Flatten:
    flatten: Flatten | None = None
    alike = {kind}.issuperset

    def array(value: Any) -> Any:
        nonlocal flatten
        if not value:
            return value
        if flatten is None:
            flatten = _fields(kind)
        return [*map(flatten, value)] if value.__class__ is tuple and alike(map(type, value)) else value

    return array


def _called_back(value: Any) -> Any:
    """Return what msgpack can pack instead of a value that it cannot."""
    flatten = _object(value.__class__)
    if flatten is not None:
        return flatten(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (set, frozenset)):
        return _members(value)
    raise TypeError(f"no field of a state, view or command can be {value.__class__.__name__}")


def _members(value: Any) -> list[Any]:
    """Return the members of a set in the order of their packed bytes."""
    return sorted(value, key=_bytes) if len(value) > 1 else list(value)


def _bytes(value: Any) -> bytes:
    """Pack a value inside another, for which the thread's packer cannot be used again."""
    return msgpack.packb(value, default=_called_back)  # type: ignore[no-any-return]


_of_thread: Final = local()
"""Holds one packer per thread: a packer calls back into Python, where another thread may run."""
