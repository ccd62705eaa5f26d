"""Memos: what is made of a value is kept, if equal values are the same value; 1 and True are equal, and are not."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from enum import Enum
from operator import attrgetter
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import attrs

T = TypeVar("T")

NUMBER = 4
"""Bytes of a number, of int32 as of float32."""

VALUE = 450
"""Bytes that a value and its entry take besides the numbers, about."""
KEPT = 1 << 19
"""The most bytes that a memo keeps, about, and the most values."""
MOST = 2048
FEWEST = 16
"""Values of which not even this many could be kept are written anew each time."""


class Memo(dict[Any, T]):
    """What is made of a value, made when it is first asked for; once there are `most` it begins anew."""

    def __init__(self, make: Callable[[Any], T], most: int = MOST) -> None:
        super().__init__()
        self.make, self._most = make, most

    def __missing__(self, value: Any) -> T:
        made = self.make(value)
        if len(self) >= self._most:
            self.clear()
        self[value] = made
        return made


class Anew:
    """In the place of a memo, where values that are equal may be written in different ways, or seldom recur."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self.make = make

    def __getitem__(self, value: Any) -> Any:
        return self.make(value)


class RowMemo:
    """A memo of attrs objects, by the values of their fields."""

    def __init__(self, names: Sequence[str], make: Callable[[Any], Any], most: int) -> None:
        self.make, self._get, self._most = make, attrgetter(*names), most
        self._made: dict[Any, Any] = {}

    def __getitem__(self, value: Any) -> Any:
        key = self._get(value)
        made = self._made.get(key)
        if made is None:
            if len(self._made) >= self._most:
                self._made.clear()
            self._made[key] = made = self.make(value)
        return made


def memo(kind: Any, make: Callable[[Any], Any], numbers: int) -> Memo[Any] | RowMemo | Anew:
    """Return what makes `numbers` numbers of a value of this annotation, and keeps them where it can."""
    most = min(MOST, KEPT // (NUMBER * numbers + VALUE))
    if most < FEWEST:
        return Anew(make)
    if attrs.has(kind):
        fields = attrs.fields(attrs.resolve_types(kind))
        told = fields and all(is_told_by_equality(field.type) for field in fields)
        return RowMemo([field.name for field in fields], make, most) if told else Anew(make)
    return Memo(make, most) if is_told_by_equality(kind) else Anew(make)


def is_told_by_equality(kind: Any) -> bool:
    """Return True if values of this annotation that are equal are the same: 1 is equal to True."""
    kind = plain_kind(kind)
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        kinds = [arg for arg in args if arg is not type(None)]
        return len(kinds) == 1 and is_told_by_equality(kinds[0])
    if origin in (tuple, frozenset):
        return all(is_told_by_equality(arg) for arg in args if arg is not Ellipsis)
    if origin is Literal:
        return len({*map(type, args)}) == 1
    return kind in (int, bool, str, type(None)) or (isinstance(kind, type) and issubclass(kind, Enum))


def holds_bool(kind: Any) -> bool:
    """Return True if an annotation has a bool in it: an int in its place, by mistake, would be taken for it."""
    kind = plain_kind(kind)
    return kind is bool or any(map(holds_bool, get_args(kind)))


def plain_kind(kind: Any) -> Any:
    """Return the class behind a `NewType`."""
    while hasattr(kind, "__supertype__"):
        kind = kind.__supertype__
    return kind
